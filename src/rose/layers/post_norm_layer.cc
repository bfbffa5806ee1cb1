// The encoder layer, in the paper's order.
#include "rose/layers/post_norm_layer.h"

#include "base/status.h"

namespace bouquet::rose {

absl::StatusOr<LayerActivations> LayerActivations::create(Workspace& workspace, const AttentionConfig& attention,
                                                          const FeedForwardConfig& feed_forward, int64_t tokens) {
  LayerActivations a;
  ASSIGN_OR_RETURN(a.attention, AttentionActivations::create(workspace, attention.shape, tokens));
  ASSIGN_OR_RETURN(a.feed_forward, FeedForwardActivations::create(workspace, feed_forward, tokens));
  ASSIGN_OR_RETURN(a.output, workspace.matrix(tokens, attention.hidden));
  return a;
}

absl::StatusOr<PostNormLayer> PostNormLayer::load(WeightReader& reader, const PostNormLayerNames& names,
                                                  const PostNormLayerConfig& config) {
  const int32_t hidden = config.attention.hidden;
  PostNormLayer layer;
  ASSIGN_OR_RETURN(layer.attention_, SelfAttention::load(reader, names.attention, config.attention));
  ASSIGN_OR_RETURN(layer.attention_norm_, Norm::load(reader, names.attention_norm, hidden, config.norm));
  if (!names.attention_norm_again.empty()) {
    ASSIGN_OR_RETURN(layer.attention_norm_again_, Norm::load(reader, names.attention_norm_again, hidden, config.norm));
  }
  ASSIGN_OR_RETURN(layer.feed_forward_, FeedForward::load(reader, names.feed_forward, config.feed_forward));
  ASSIGN_OR_RETURN(layer.output_norm_, Norm::load(reader, names.output_norm, hidden, config.norm));
  return layer;
}

void PostNormLayer::forward(const ops::Context& context, const LayerActivations& a, const Tensor& hidden) const {
  attention_.forward(context, a.attention, hidden, a.output);
  attention_norm_.forward(context, a.output, hidden, {}, attention_norm_again_ ? a.output : hidden);
  if (attention_norm_again_) attention_norm_again_->forward(context, a.output, hidden, {}, hidden);
  feed_forward_.forward(context, a.feed_forward, hidden, a.output);
  output_norm_.forward(context, a.output, hidden, {}, hidden);
}

}  // namespace bouquet::rose
