// Vectors in 8 bits or 1 bit a dimension. What a value becomes depends on nothing but itself: no ranges are taken from
// a batch.
//
// Each rule is for the vector that the model's kind asks for:
//   kUnit  a vector of length 1: int8 = round(127 x), bit = x > 0
//   kTanh  the model's own values, not normalised, of models trained so: int8 = round(127 tanh x), bit = x >= 0
// Rounding is half to even; what is out of range is held at its end.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace bouquet::ivy {

enum class QuantRule : uint8_t { kUnit, kTanh };

enum class BitOrder : uint8_t {
  kMostFirst,   // dimension 0 is bit 7 of byte 0, as numpy.packbits has it
  kLeastFirst,  // dimension 0 is bit 0 of byte 0
};

std::vector<int8_t> to_int8(std::span<const float> vector, QuantRule rule);

// A bit a dimension; the bits that fill the last byte up are 0.
std::vector<uint8_t> to_bits(std::span<const float> vector, QuantRule rule, BitOrder order);

}  // namespace bouquet::ivy
