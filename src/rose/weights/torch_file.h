// Reads the files that torch.save writes (pytorch_model.bin, *.pt) without running what they say: the zip archive of
// PyTorch 1.6 and later, and the stream of pickles and bytes that came before it. The file is untrusted: see pickle.h
// for what may stand in it; every number is checked against the file before a view is handed out.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "rose/weights/safetensors.h"

namespace bouquet::rose {

struct TorchTensors {
  TensorMap tensors;  // each the same as in a safetensors file of the same weights
  // Bytes of tensors that do not lie row by row in the file (transposed ones), put in order; together not more than the
  // file has.
  std::vector<std::vector<std::byte>> copies;
};

// By its first bytes.
bool is_torch_file(std::span<const std::byte> file);

// The views point into `file`, which must outlive them, or into `copies`. INVALID_ARGUMENT names what is wrong and
// where.
absl::StatusOr<TorchTensors> parse_torch_file(std::span<const std::byte> file);

}  // namespace bouquet::rose
