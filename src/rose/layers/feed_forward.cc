// Two projections with an activation, or a gate, between them.
#include "rose/layers/feed_forward.h"

#include "base/status.h"

namespace bouquet::rose {

absl::StatusOr<FeedForwardActivations> FeedForwardActivations::create(Workspace& workspace,
                                                                      const FeedForwardConfig& config, int64_t tokens) {
  FeedForwardActivations a;
  if (config.gated) {
    ASSIGN_OR_RETURN(a.up, workspace.matrix(tokens, 2 * config.intermediate));
  }
  ASSIGN_OR_RETURN(a.inner, workspace.matrix(tokens, config.intermediate));
  return a;
}

absl::StatusOr<FeedForward> FeedForward::load(WeightReader& reader, const FeedForwardNames& names,
                                              const FeedForwardConfig& config) {
  FeedForward layer;
  layer.config_ = config;
  const int32_t width = config.gated ? 2 * config.intermediate : config.intermediate;
  ASSIGN_OR_RETURN(layer.up_, Linear::load(reader, names.up, width, config.hidden));
  ASSIGN_OR_RETURN(layer.down_, Linear::load(reader, names.down, config.hidden, config.intermediate));
  return layer;
}

void FeedForward::forward(const ops::Context& context, const FeedForwardActivations& a, const Tensor& x,
                          const Tensor& y) const {
  if (config_.gated) {
    up_.forward(context, x, Activation::kNone, a.up, context.tokens());
    ops::gate(context, a.up, config_.activation, a.inner);
  } else {
    up_.forward(context, x, config_.activation, a.inner, context.tokens());
  }
  down_.forward(context, a.inner, Activation::kNone, y, context.tokens());
}

}  // namespace bouquet::rose
