// The tensors of a GGUF file as transformers names and lays them out.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "rose/weights/safetensors.h"

namespace bouquet::rose {

struct GgufTensors {
  TensorMap tensors;                           // views of the file or of `copies`
  std::vector<std::vector<std::byte>> copies;  // f32: of what llama.cpp stores in another order
};

// UNIMPLEMENTED names an architecture that is not read; a tensor that has no name there keeps its own. The views point
// into `file`, which must outlive them.
absl::StatusOr<GgufTensors> parse_gguf_tensors(std::span<const std::byte> file);

}  // namespace bouquet::rose
