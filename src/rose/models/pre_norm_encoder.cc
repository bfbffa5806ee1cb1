// Loading and forward of pre-norm encoders.
#include "rose/models/pre_norm_encoder.h"

#include "base/status.h"

namespace bouquet::rose {

absl::StatusOr<std::unique_ptr<Encoder>> PreNormEncoder::load(WeightReader& reader, Device& device,
                                                              const PreNormConfig& config, const PreNormNames& names,
                                                              const Limits& limits) {
  std::unique_ptr<PreNormEncoder> encoder(new PreNormEncoder(device));
  const int64_t tokens = limits.max_batch_tokens;
  const int32_t hidden = config.embedding.hidden;
  Workspace& workspace = encoder->workspace_;
  ASSIGN_OR_RETURN(encoder->embedding_, Embedding::load(reader, workspace, names.embedding, config.embedding, tokens));
  for (size_t i = 0; i < config.layers.size(); ++i) {
    ASSIGN_OR_RETURN(PreNormLayer layer,
                     PreNormLayer::load(reader, names.layer(static_cast<int32_t>(i)), config.layers[i]));
    encoder->layers_.push_back(std::move(layer));
  }
  ASSIGN_OR_RETURN(encoder->last_norm_, Norm::load(reader, names.last_norm, hidden, config.last_norm));
  ASSIGN_OR_RETURN(encoder->stream_, workspace.matrix(tokens, hidden));
  ASSIGN_OR_RETURN(encoder->normed_, workspace.matrix(tokens, hidden));
  const PreNormLayerConfig& l = config.layers[0];
  ASSIGN_OR_RETURN(encoder->activations_, LayerActivations::create(workspace, l.attention, l.feed_forward, tokens));
  return encoder;
}

Tensor PreNormEncoder::forward(const ops::Context& context) {
  embedding_.forward(context, stream_);
  for (const PreNormLayer& layer : layers_) {
    layer.forward(context, activations_, stream_, normed_, &layer == layers_.data());
  }
  last_norm_.forward(context, activations_.output, stream_, stream_, normed_);
  return normed_;
}

}  // namespace bouquet::rose
