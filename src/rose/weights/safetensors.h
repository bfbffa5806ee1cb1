// Reads the safetensors format (https://github.com/huggingface/safetensors): an 8-byte little-endian header length, a
// JSON header naming each tensor's type, shape and byte range, then the bytes. The file is untrusted: every number is
// checked against the file before a view is handed out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "rose/tensor/dtype.h"

namespace bouquet::rose {

struct GgmlType;  // ggml_blocks.h

struct TensorEntry {
  std::optional<DType> dtype;  // none: a type ROSE knows nothing of (U64, BOOL, ...), or blocks
  std::vector<int64_t> shape;
  std::span<const std::byte> bytes;
  const GgmlType* blocks = nullptr;  // of quantised values (GGUF), whole ones in a row
};

using TensorMap = std::map<std::string, TensorEntry, std::less<>>;

// The views point into `file`, which must outlive them. INVALID_ARGUMENT names what is wrong and where.
absl::StatusOr<TensorMap> parse_safetensors(std::span<const std::byte> file);

}  // namespace bouquet::rose
