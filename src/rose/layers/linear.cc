// Weights of one or several stacked projections by name, then one op.
#include "rose/layers/linear.h"

#include <algorithm>

#include "base/status.h"

namespace bouquet::rose {

absl::StatusOr<Linear> Linear::load(WeightReader& reader, const Stack& parts, int32_t n, int32_t k) {
  Linear layer;
  const std::string dot = parts[0].name.empty() ? "" : ".";
  ASSIGN_OR_RETURN(layer.weight, reader.matrix(parts, dot + "weight", n, k));
  const auto biases =
      std::count_if(parts.begin(), parts.end(), [&](const Part& part) { return reader.has(part.name + dot + "bias"); });
  if (biases == 0) return layer;
  if (biases != static_cast<ptrdiff_t>(parts.size()))
    return absl::InvalidArgumentError("some of " + parts[0].name + " and its siblings lack a bias");
  ASSIGN_OR_RETURN(layer.bias, reader.vector(parts, dot + "bias", n));
  return layer;
}

absl::StatusOr<Linear> Linear::load(WeightReader& reader, const std::string& name, int32_t n, int32_t k) {
  return load(reader, Stack{name}, n, k);
}

void Linear::forward(const ops::Context& context, const Tensor& x, Activation activation, const Tensor& y,
                     const int32_t* rows) const {
  ops::linear(context, x, weight, floats_of(bias), activation, y, rows);
}

}  // namespace bouquet::rose
