// One function a type. No product has more than 24 bits, so all are exact in f32 and values are the same to the bit,
// however a compiler contracts them with the sums.
#include "rose/weights/ggml_blocks.h"

#include <algorithm>
#include <cstring>

#include "rose/tensor/dtype.h"

namespace bouquet::rose {
namespace {

float half_at(const uint8_t* at) {
  uint16_t bits;
  std::memcpy(&bits, at, sizeof(bits));
  return f16_to_float(bits);
}

void f32(const uint8_t* block, float* values) { std::memcpy(values, block, sizeof(float)); }

void f16(const uint8_t* block, float* values) { *values = half_at(block); }

void bf16(const uint8_t* block, float* values) {
  uint16_t bits;
  std::memcpy(&bits, block, sizeof(bits));
  *values = bf16_to_float(bits);
}

// ---- Blocks of 32 values: the low halves of 16 bytes are the first 16, the high halves the others.

int nibble(const uint8_t* bytes, int i) { return i < 16 ? bytes[i] & 15 : bytes[i - 16] >> 4; }

int fifth_bit(const uint8_t* bits, int i) { return (bits[i / 8] >> (i % 8) & 1) << 4; }

void q4_0(const uint8_t* block, float* values) {  // scale, nibbles
  const float scale = half_at(block);
  for (int i = 0; i < 32; ++i) values[i] = scale * static_cast<float>(nibble(block + 2, i) - 8);
}

void q4_1(const uint8_t* block, float* values) {  // scale, minimum, nibbles
  const float scale = half_at(block), minimum = half_at(block + 2);
  for (int i = 0; i < 32; ++i) values[i] = scale * static_cast<float>(nibble(block + 4, i)) + minimum;
}

void q5_0(const uint8_t* block, float* values) {  // scale, fifth bits, nibbles
  const float scale = half_at(block);
  for (int i = 0; i < 32; ++i) {
    values[i] = scale * static_cast<float>((nibble(block + 6, i) | fifth_bit(block + 2, i)) - 16);
  }
}

void q5_1(const uint8_t* block, float* values) {  // scale, minimum, fifth bits, nibbles
  const float scale = half_at(block), minimum = half_at(block + 2);
  for (int i = 0; i < 32; ++i) {
    values[i] = scale * static_cast<float>(nibble(block + 8, i) | fifth_bit(block + 4, i)) + minimum;
  }
}

void q8_0(const uint8_t* block, float* values) {  // scale, signed bytes
  const float scale = half_at(block);
  for (int i = 0; i < 32; ++i) values[i] = scale * static_cast<float>(static_cast<int8_t>(block[2 + i]));
}

// ---- Blocks of 256 values, each 16 or 32 of them with a scale of their own.

// Pairs of bits, value i of 256: 32 bytes hold 128 values, in each byte four that are 32 apart.
int bit_pair(const uint8_t* bytes, int i) { return bytes[i / 128 * 32 + i % 32] >> (i % 128 / 32 * 2) & 3; }

// Single bits: a byte holds eight values that are 32 apart.
int spread_bit(const uint8_t* bytes, int i) { return bytes[i % 32] >> (i / 32) & 1; }

// Nibbles: `width` bytes hold first their low halves, then their high ones.
int nibble_of(const uint8_t* bytes, int width, int i) {
  const uint8_t byte = bytes[i / (2 * width) * width + i % width];
  return i / width % 2 == 0 ? byte & 15 : byte >> 4;
}

void q2_k(const uint8_t* block, float* values) {  // 16 nibbles each of scales and minima, pairs, scale, minimum
  const float scale = half_at(block + 80), minimum = half_at(block + 82);
  for (int i = 0; i < 256; ++i) {
    const uint8_t both = block[i / 16];
    values[i] = scale * static_cast<float>(both & 15) * static_cast<float>(bit_pair(block + 16, i)) -
                minimum * static_cast<float>(both >> 4);
  }
}

// Scale i of 16, of 6 bits: the low four as nibbles of 8 bytes, the high two as pairs in the 4 bytes behind.
int scale_of_16(const uint8_t* bytes, int i) {
  return nibble_of(bytes, 8, i) | (bytes[8 + i % 4] >> (i / 4 * 2) & 3) << 4;
}

void q3_k(const uint8_t* block, float* values) {  // third bits, pairs, scales, scale
  const float scale = half_at(block + 108);
  for (int i = 0; i < 256; ++i) {
    const float own = scale * static_cast<float>(scale_of_16(block + 96, i / 16) - 32);
    values[i] = own * static_cast<float>(bit_pair(block + 32, i) + 4 * spread_bit(block, i) - 4);
  }
}

struct ScaleAndMinimum {
  float scale, minimum;
};

// Of the i-th 32 values: 6 bits each. The first four scales are the low bits of bytes 0 to 3, their minima those of 4
// to
// 7. The others have their low four bits in bytes 8 to 11 and their high two on top of the bytes of the first.
ScaleAndMinimum of_32_values(const uint8_t* block, int i) {
  const float scale = half_at(block), minimum = half_at(block + 2);
  const uint8_t *scales = block + 4, *minima = scales + 4, *rest = scales + 8;
  if (i < 4) return {scale * static_cast<float>(scales[i] & 63), minimum * static_cast<float>(minima[i] & 63)};
  const int j = i - 4;
  return {scale * static_cast<float>((rest[j] & 15) | scales[j] >> 6 << 4),
          minimum * static_cast<float>(rest[j] >> 4 | minima[j] >> 6 << 4)};
}

void q4_k(const uint8_t* block, float* values) {  // scale, minimum, scales and minima, nibbles
  for (int part = 0; part < 8; ++part) {
    const auto [scale, minimum] = of_32_values(block, part);
    for (int i = part * 32; i < part * 32 + 32; ++i) {
      values[i] = scale * static_cast<float>(nibble_of(block + 16, 32, i)) - minimum;
    }
  }
}

void q5_k(const uint8_t* block, float* values) {  // as Q4_K, with fifth bits before the nibbles
  for (int part = 0; part < 8; ++part) {
    const auto [scale, minimum] = of_32_values(block, part);
    for (int i = part * 32; i < part * 32 + 32; ++i) {
      const int value = nibble_of(block + 48, 32, i) | spread_bit(block + 16, i) << 4;
      values[i] = scale * static_cast<float>(value) - minimum;
    }
  }
}

void q6_k(const uint8_t* block, float* values) {  // nibbles, high pairs, 16 signed scales, scale
  const float scale = half_at(block + 208);
  for (int i = 0; i < 256; ++i) {
    const float own = scale * static_cast<float>(static_cast<int8_t>(block[192 + i / 16]));
    values[i] = own * static_cast<float>((nibble_of(block, 64, i) | bit_pair(block + 128, i) << 4) - 32);
  }
}

constexpr GgmlType kTypes[] = {
    {0, "F32", 1, 4, f32},        {1, "F16", 1, 2, f16},        {2, "Q4_0", 32, 18, q4_0},
    {3, "Q4_1", 32, 20, q4_1},    {6, "Q5_0", 32, 22, q5_0},    {7, "Q5_1", 32, 24, q5_1},
    {8, "Q8_0", 32, 34, q8_0},    {10, "Q2_K", 256, 84, q2_k},  {11, "Q3_K", 256, 110, q3_k},
    {12, "Q4_K", 256, 144, q4_k}, {13, "Q5_K", 256, 176, q5_k}, {14, "Q6_K", 256, 210, q6_k},
    {30, "BF16", 1, 2, bf16},
};

}  // namespace

std::span<const GgmlType> ggml_types() { return kTypes; }

const GgmlType* find_ggml_type(uint32_t id) {
  const auto* found = std::find_if(std::begin(kTypes), std::end(kTypes), [id](auto& type) { return type.id == id; });
  return found == std::end(kTypes) ? nullptr : found;
}

}  // namespace bouquet::rose
