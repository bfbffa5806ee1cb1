// Any bytes as a GGUF file: parsed or refused, every view lies within the bytes, rows of any type are dequantised, and
// tensors are laid out anew within what they have.
#include <algorithm>
#include <cstdlib>
#include <vector>

#include "rose/weights/gguf.h"
#include "rose/weights/gguf_tensors.h"

namespace {

void read_metadata(const bouquet::rose::GgufMetadata& metadata) {
  for (const char* key : {"text", "u8", "u64", "f32", "f64", "yes", "texts", "integers", "numbers", "flags"}) {
    metadata.text(key), metadata.integer(key), metadata.number(key), metadata.flag(key);
    metadata.texts(key), metadata.integers(key), metadata.numbers(key), metadata.flags(key);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr int64_t kMaxRow = 1 << 16;
  const std::span bytes(reinterpret_cast<const std::byte*>(data), size);
  const auto file = bouquet::rose::parse_gguf(bytes);
  if (!file.ok()) return 0;
  read_metadata(file->metadata);
  if (const auto laid_out = bouquet::rose::parse_gguf_tensors(bytes); laid_out.ok()) {
    if (laid_out->tensors.size() != file->tensors.size()) std::abort();
  }
  for (const auto& [name, tensor] : file->tensors) {
    if (tensor.bytes.data() < bytes.data() || tensor.bytes.data() + tensor.bytes.size() > bytes.data() + size)
      std::abort();
    if (tensor.row_size() > kMaxRow) continue;
    std::vector<float> row(static_cast<size_t>(tensor.row_size()));
    if (!bouquet::rose::dequantise(tensor, 0, row).ok()) std::abort();
    if (!bouquet::rose::dequantise(tensor, tensor.rows() - 1, row).ok()) std::abort();
    if (bouquet::rose::dequantise(tensor, tensor.rows(), row).ok()) std::abort();
  }
  return 0;
}
