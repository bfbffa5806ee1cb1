// Results as a reply carries them: vectors as JSON numbers or base64, whole or quantised, logits as probabilities.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_writer.h"
#include "ivy/api/quantise.h"

namespace bouquet::ivy {

enum class VectorFormat : uint8_t {
  kFloat,          // [0.1, ...]: the shortest digits that read back to the same float
  kBase64,         // little-endian float32
  kBase64Float16,  // little-endian float16, rounded to nearest even
  kInt8,           // [-128 ... 127, ...]
  kUint8,          // the same plus 128
  kUbinary,        // packed bits as [0 ... 255, ...], most significant first
  kBinary,         // the same minus 128
  kBase64Int8,     // a byte a dimension
  kBase64Binary,   // packed bits, least significant first
};

// Whether it is made by a rule of quantise.h, and so needs the vector that the rule is for.
bool is_quantised(VectorFormat format);

// Appends one value, an array or a string.
void write_vector(std::span<const float> vector, VectorFormat format, QuantRule rule, JsonWriter* json);

std::string base64(std::span<const uint8_t> bytes);

// IEEE half precision, rounded to nearest even; too large becomes infinity.
uint16_t to_float16(float value);

// 1 / (1 + e^-x), in double so that scores near 1 stay apart.
double sigmoid(double logit);

// In place: e^x / sum of e^x.
void softmax(std::span<double> logits);

// A row of logits as it is where `raw`; else one by its sigmoid, several by their softmax.
std::vector<double> probabilities(std::span<const float> logits, bool raw);

}  // namespace bouquet::ivy
