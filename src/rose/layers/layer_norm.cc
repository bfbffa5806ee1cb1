// Scale and shift by name, then one op.
#include "rose/layers/layer_norm.h"

#include "base/status.h"

namespace bouquet::rose {

absl::StatusOr<LayerNorm> LayerNorm::load(WeightReader& reader, const std::string& name, int32_t hidden,
                                          float epsilon) {
  LayerNorm layer;
  ASSIGN_OR_RETURN(layer.gamma, reader.vector(name + ".weight", hidden));
  ASSIGN_OR_RETURN(layer.beta, reader.vector(name + ".bias", hidden));
  layer.epsilon = epsilon;
  return layer;
}

void LayerNorm::forward(const ops::Context& context, const Tensor& x, const Tensor& residual, const Tensor& y) const {
  const LayerNormArgs args{
      x, residual, static_cast<const float*>(gamma->data()), static_cast<const float*>(beta->data()), epsilon,
      y, nullptr};
  ops::layer_norm(context, args, ops::Rows::kTokens);
}

}  // namespace bouquet::rose
