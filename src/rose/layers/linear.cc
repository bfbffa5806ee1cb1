// Weights of one or several stacked projections by name, then one op.
#include "rose/layers/linear.h"

#include "base/status.h"

namespace bouquet::rose {

absl::StatusOr<Linear> Linear::load_stacked(WeightReader& reader, const std::vector<std::string>& names, int32_t n,
                                            int32_t k) {
  std::vector<std::string> weights, biases;
  for (const std::string& name : names) {
    weights.push_back(name + ".weight");
    if (reader.has(name + ".bias")) biases.push_back(name + ".bias");
  }
  Linear layer;
  ASSIGN_OR_RETURN(layer.weight, reader.matrices(weights, n, k));
  if (biases.empty()) return layer;
  if (biases.size() != names.size())
    return absl::InvalidArgumentError("some of " + names[0] + " and its siblings lack a bias");
  ASSIGN_OR_RETURN(layer.bias, reader.vectors(biases, n));
  return layer;
}

absl::StatusOr<Linear> Linear::load(WeightReader& reader, const std::string& name, int32_t n, int32_t k) {
  return load_stacked(reader, {name}, n, k);
}

void Linear::forward(const ops::Context& context, const Tensor& x, Activation activation, const Tensor& y,
                     ops::Rows rows) const {
  ops::linear(context, x, weight, bias ? static_cast<const float*>(bias->data()) : nullptr, activation, y, rows);
}

}  // namespace bouquet::rose
