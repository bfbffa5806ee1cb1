// Reads the GGUF format (https://github.com/ggml-org/ggml/blob/master/docs/gguf.md), versions 2 and 3: metadata and
// tensors, most of them quantised in blocks. The file is untrusted: every number is checked against the file before a
// view is handed out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/file.h"
#include "rose/weights/ggml_blocks.h"
#include "rose/weights/gguf_metadata.h"

namespace bouquet::rose {

struct GgufTensor {
  const GgmlType* type = nullptr;  // never null in a file that was parsed
  std::vector<int64_t> shape;      // as in PyTorch: outermost first, the last dimension lies in a row
  std::span<const std::byte> bytes;

  int64_t row_size() const;  // values: the last dimension; 1 of a scalar
  int64_t rows() const;
};

struct GgufFile {
  GgufMetadata metadata;
  std::map<std::string, GgufTensor, std::less<>> tensors;
};

bool is_gguf(std::span<const std::byte> file);  // by its first bytes

// The views point into `file`, which must outlive them. INVALID_ARGUMENT names the key or tensor and what is wrong with
// it; UNIMPLEMENTED a version or a tensor's type that is not read.
absl::StatusOr<GgufFile> parse_gguf(std::span<const std::byte> file);

// A file that stays mapped with what was read of it.
struct MappedGguf {
  MappedFile mapped;
  GgufFile file;
};

// Errors as parse_gguf()'s, with the path.
absl::StatusOr<MappedGguf> open_gguf(const std::filesystem::path& path);

// Into `out`, in f32: as many whole rows as it holds, from `first_row` on. OUT_OF_RANGE where the tensor has not so
// many, INVALID_ARGUMENT where `out` holds no whole number of rows.
absl::Status dequantise(const GgufTensor& tensor, int64_t first_row, std::span<float> out);

}  // namespace bouquet::rose
