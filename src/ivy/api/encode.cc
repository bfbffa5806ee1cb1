// JSON numbers and base64 of every width, and the two squashing functions.
#include "ivy/api/encode.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

namespace bouquet::ivy {
namespace {

static_assert(std::endian::native == std::endian::little, "vectors are sent as they lie in memory");

constexpr char kAlphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::span<const uint8_t> bytes_of(const void* data, size_t size) { return {static_cast<const uint8_t*>(data), size}; }

template <class T>
void write_base64(std::span<const T> values, JsonWriter* json) {
  std::string text = base64(bytes_of(values.data(), values.size_bytes()));
  text.insert(text.begin(), '"');
  text.push_back('"');
  json->raw(text);
}

template <class T>
void write_integers(std::span<const T> values, int64_t added, JsonWriter* json) {
  json->begin_array();
  for (const T value : values) json->number(added + value);
  json->end_array();
}

}  // namespace

std::string base64(std::span<const uint8_t> bytes) {
  std::string out((bytes.size() + 2) / 3 * 4, '=');
  size_t o = 0;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t left = std::min<size_t>(3, bytes.size() - i);
    const uint32_t group = static_cast<uint32_t>(bytes[i]) << 16 |
                           (left > 1 ? static_cast<uint32_t>(bytes[i + 1]) << 8 : 0) |
                           (left > 2 ? static_cast<uint32_t>(bytes[i + 2]) : 0);
    for (size_t k = 0; k <= left; ++k) out[o + k] = kAlphabet[(group >> (18 - 6 * k)) & 63];
    o += 4;
  }
  return out;
}

uint16_t to_float16(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  const auto sign = static_cast<uint16_t>((bits >> 16) & 0x8000);
  const uint32_t magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000) return static_cast<uint16_t>(sign | 0x7e00);
  if (magnitude >= 0x477ff000) return static_cast<uint16_t>(sign | 0x7c00);  // rounds to 65536 or more
  if (magnitude < 0x38800000) {  // below 2^-14: a multiple of 2^-24; the addition rounds to nearest even
    const float shifted = std::bit_cast<float>(magnitude) + 0.5f;
    return static_cast<uint16_t>(sign | (std::bit_cast<uint32_t>(shifted) - std::bit_cast<uint32_t>(0.5f)));
  }
  const uint32_t odd = (magnitude >> 13) & 1;
  return static_cast<uint16_t>(sign | ((magnitude - 0x38000000 + 0xfff + odd) >> 13));
}

bool is_quantised(VectorFormat format) {
  return format != VectorFormat::kFloat && format != VectorFormat::kBase64 && format != VectorFormat::kBase64Float16;
}

void write_vector(std::span<const float> vector, VectorFormat format, QuantRule rule, JsonWriter* json) {
  switch (format) {
    case VectorFormat::kFloat:
      json->floats(vector);
      return;
    case VectorFormat::kBase64:
      return write_base64(vector, json);
    case VectorFormat::kBase64Float16: {
      std::vector<uint16_t> halves(vector.size());
      std::transform(vector.begin(), vector.end(), halves.begin(), to_float16);
      return write_base64<uint16_t>(halves, json);
    }
    case VectorFormat::kInt8:
      return write_integers<int8_t>(to_int8(vector, rule), 0, json);
    case VectorFormat::kUint8:
      return write_integers<int8_t>(to_int8(vector, rule), 128, json);
    case VectorFormat::kUbinary:
      return write_integers<uint8_t>(to_bits(vector, rule, BitOrder::kMostFirst), 0, json);
    case VectorFormat::kBinary:
      return write_integers<uint8_t>(to_bits(vector, rule, BitOrder::kMostFirst), -128, json);
    case VectorFormat::kBase64Int8:
      return write_base64<int8_t>(to_int8(vector, rule), json);
    case VectorFormat::kBase64Binary:
      return write_base64<uint8_t>(to_bits(vector, rule, BitOrder::kLeastFirst), json);
  }
}

double sigmoid(double logit) {
  if (logit >= 0) return 1.0 / (1.0 + std::exp(-logit));
  const double e = std::exp(logit);
  return e / (1.0 + e);
}

void softmax(std::span<double> logits) {
  if (logits.empty()) return;
  const double top = *std::max_element(logits.begin(), logits.end());
  double sum = 0;
  for (double& x : logits) sum += x = std::exp(x - top);
  for (double& x : logits) x /= sum;
}

std::vector<double> probabilities(std::span<const float> logits, bool raw) {
  std::vector<double> values(logits.begin(), logits.end());
  if (raw) return values;
  if (values.size() == 1) values[0] = sigmoid(values[0]);
  if (values.size() > 1) softmax(values);
  return values;
}

}  // namespace bouquet::ivy
