// The gate's two halves side by side, as the gate kernel reads them.
#include "rose/layers/per_layer_input.h"

#include "base/status.h"

namespace bouquet::rose {
absl::StatusOr<PerLayerActivations> PerLayerActivations::create(Workspace& workspace, int32_t layers, int32_t width,
                                                                int64_t tokens) {
  PerLayerActivations a;
  ASSIGN_OR_RETURN(a.shares, workspace.matrix(tokens, layers * width));
  ASSIGN_OR_RETURN(a.pair, workspace.matrix(tokens, 2 * width));
  ASSIGN_OR_RETURN(a.inner, workspace.matrix(tokens, width));
  return a;
}

absl::StatusOr<PerLayerInput> PerLayerInput::load(WeightReader& reader, const PerLayerInputNames& names,
                                                  const PerLayerInputConfig& config) {
  PerLayerInput layer;
  layer.config_ = config;
  ASSIGN_OR_RETURN(layer.share_norm_, Norm::load(reader, names.share_norm, config.width, config.share_norm));
  ASSIGN_OR_RETURN(layer.gate_, Linear::load(reader, names.gate, config.width, config.hidden));
  ASSIGN_OR_RETURN(layer.projection_, Linear::load(reader, names.projection, config.hidden, config.width));
  ASSIGN_OR_RETURN(layer.norm_, Norm::load(reader, names.norm, config.hidden, config.norm));
  return layer;
}

void PerLayerInput::forward(const ops::Context& context, const PerLayerActivations& a, int32_t layer, const Tensor& x,
                            const Tensor& y) const {
  const int32_t width = config_.width;
  const Tensor share = a.shares.columns(int64_t{layer} * width, width);
  gate_.forward(context, x, Activation::kNone, a.pair.columns(0, width), context.tokens());
  share_norm_.forward(context, share, a.pair.columns(width, width), context.tokens());
  ops::gate(context, a.pair, config_.activation, a.inner);
  projection_.forward(context, a.inner, Activation::kNone, y, context.tokens());
  norm_.forward(context, y, y, context.tokens());
}

}  // namespace bouquet::rose
