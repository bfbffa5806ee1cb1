// The layer, sublayer by sublayer; a sum with the stream is part of the norm that reads it.
#include "rose/layers/pre_norm_layer.h"

#include "base/status.h"

namespace bouquet::rose {
namespace {

absl::StatusOr<std::optional<Norm>> load_if_named(WeightReader& reader, const std::string& name, int32_t hidden,
                                                  const NormConfig& config) {
  if (name.empty()) return std::nullopt;
  ASSIGN_OR_RETURN(Norm norm, Norm::load(reader, name, hidden, config));
  return norm;
}

}  // namespace

absl::StatusOr<PreNormLayer> PreNormLayer::load(WeightReader& reader, const PreNormLayerNames& names,
                                                const PreNormLayerConfig& config) {
  const int32_t hidden = config.attention.hidden;
  PreNormLayer layer;
  ASSIGN_OR_RETURN(layer.attention_norm_, load_if_named(reader, names.attention_norm, hidden, config.norm));
  ASSIGN_OR_RETURN(layer.attention_, SelfAttention::load(reader, names.attention, config.attention));
  ASSIGN_OR_RETURN(layer.after_attention_, load_if_named(reader, names.after_attention, hidden, config.norm));
  ASSIGN_OR_RETURN(layer.feed_forward_norm_, Norm::load(reader, names.feed_forward_norm, hidden, config.norm));
  ASSIGN_OR_RETURN(layer.feed_forward_, FeedForward::load(reader, names.feed_forward, config.feed_forward));
  ASSIGN_OR_RETURN(layer.after_feed_forward_, load_if_named(reader, names.after_feed_forward, hidden, config.norm));
  return layer;
}

void PreNormLayer::forward(const ops::Context& context, const LayerActivations& a, const Tensor& stream,
                           const Tensor& normed, bool first) const {
  const Tensor pending = first ? Tensor{} : a.output;
  if (attention_norm_) attention_norm_->forward(context, stream, pending, stream, normed);
  attention_.forward(context, a.attention, attention_norm_ ? normed : stream, a.output);
  if (after_attention_) after_attention_->forward(context, a.output, {}, {}, a.output);
  feed_forward_norm_.forward(context, a.output, stream, stream, normed);
  feed_forward_.forward(context, a.feed_forward, normed, a.output);
  if (after_feed_forward_) after_feed_forward_->forward(context, a.output, {}, {}, a.output);
}

}  // namespace bouquet::rose
