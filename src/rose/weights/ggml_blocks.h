// The ways ggml stores a row of values: as floats, or in blocks that share scales
// (https://github.com/ggml-org/ggml, ggml-common.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace bouquet::rose {

struct GgmlType {
  uint32_t id;  // in GGUF files
  std::string_view name;
  uint32_t block_values;
  uint32_t block_bytes;
  void (*decode)(const uint8_t* block, float* values);  // one block, whatever its bytes are
};

std::span<const GgmlType> ggml_types();
const GgmlType* find_ggml_type(uint32_t id);  // nullptr: not one that is read

}  // namespace bouquet::rose
