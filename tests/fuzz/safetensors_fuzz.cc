// Any bytes as a safetensors file: parsed or refused, and every view lies within the bytes.
#include <cstdlib>

#include "rose/weights/safetensors.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::span bytes(reinterpret_cast<const std::byte*>(data), size);
  const auto tensors = bouquet::rose::parse_safetensors(bytes);
  if (!tensors.ok()) return 0;
  for (const auto& [name, entry] : *tensors) {
    const bool empty = entry.bytes.empty();
    if (!empty && (entry.bytes.data() < bytes.data() || entry.bytes.data() + entry.bytes.size() > bytes.data() + size))
      std::abort();
  }
  return 0;
}
