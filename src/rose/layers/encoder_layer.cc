// The encoder layer, in the paper's order.
#include "rose/layers/encoder_layer.h"

#include "base/status.h"

namespace bouquet::rose {

absl::StatusOr<EncoderActivations> EncoderActivations::create(Workspace& workspace, const EncoderLayerConfig& config,
                                                              int64_t tokens) {
  EncoderActivations a;
  ASSIGN_OR_RETURN(a.qkv, workspace.matrix(tokens, 3 * config.hidden));
  ASSIGN_OR_RETURN(a.context, workspace.matrix(tokens, config.hidden));
  ASSIGN_OR_RETURN(a.output, workspace.matrix(tokens, config.hidden));
  ASSIGN_OR_RETURN(a.inner, workspace.matrix(tokens, config.intermediate));
  return a;
}

absl::StatusOr<EncoderLayer> EncoderLayer::load(WeightReader& reader, const std::string& name,
                                                const EncoderLayerConfig& config) {
  const std::string self = name + ".attention.self.";
  const int32_t h = config.hidden;
  EncoderLayer layer;
  layer.config_ = config;
  ASSIGN_OR_RETURN(layer.qkv_, Linear::load_stacked(reader, {self + "query", self + "key", self + "value"}, h, h));
  ASSIGN_OR_RETURN(layer.attention_output_, Linear::load(reader, name + ".attention.output.dense", h, h));
  ASSIGN_OR_RETURN(layer.attention_norm_,
                   LayerNorm::load(reader, name + ".attention.output.LayerNorm", h, config.epsilon));
  ASSIGN_OR_RETURN(layer.intermediate_, Linear::load(reader, name + ".intermediate.dense", config.intermediate, h));
  ASSIGN_OR_RETURN(layer.output_, Linear::load(reader, name + ".output.dense", h, config.intermediate));
  ASSIGN_OR_RETURN(layer.output_norm_, LayerNorm::load(reader, name + ".output.LayerNorm", h, config.epsilon));
  return layer;
}

void EncoderLayer::forward(const ops::Context& context, const EncoderActivations& a, const Tensor& hidden) const {
  constexpr auto kTokens = ops::Rows::kTokens;
  qkv_.forward(context, hidden, Activation::kNone, a.qkv, kTokens);
  ops::attention(context, a.qkv, config_.heads, config_.hidden / config_.heads, a.context);
  attention_output_.forward(context, a.context, Activation::kNone, a.output, kTokens);
  attention_norm_.forward(context, a.output, hidden, hidden);
  intermediate_.forward(context, hidden, config_.activation, a.inner, kTokens);
  output_.forward(context, a.inner, Activation::kNone, a.output, kTokens);
  output_norm_.forward(context, a.output, hidden, hidden);
}

}  // namespace bouquet::rose
