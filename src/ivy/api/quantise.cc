// In double, so that the tanh of a float is as good as exact before it is rounded.
#include "ivy/api/quantise.h"

#include <algorithm>
#include <cmath>

namespace bouquet::ivy {
namespace {

int8_t quantised(float x, QuantRule rule) {
  const double wide = x;
  const double scaled = 127.0 * (rule == QuantRule::kTanh ? std::tanh(wide) : wide);
  return static_cast<int8_t>(std::clamp(std::nearbyint(scaled), -128.0, 127.0));
}

}  // namespace

std::vector<int8_t> to_int8(std::span<const float> vector, QuantRule rule) {
  std::vector<int8_t> out(vector.size());
  std::transform(vector.begin(), vector.end(), out.begin(), [rule](float x) { return quantised(x, rule); });
  return out;
}

std::vector<uint8_t> to_bits(std::span<const float> vector, QuantRule rule, BitOrder order) {
  std::vector<uint8_t> out((vector.size() + 7) / 8);
  for (size_t i = 0; i < vector.size(); ++i) {
    const bool set = rule == QuantRule::kTanh ? vector[i] >= 0 : vector[i] > 0;
    const size_t bit = order == BitOrder::kMostFirst ? 7 - i % 8 : i % 8;
    if (set) out[i / 8] = static_cast<uint8_t>(out[i / 8] | 1u << bit);
  }
  return out;
}

}  // namespace bouquet::ivy
