// Loading and forward of post-norm encoders.
#include "rose/models/post_norm_encoder.h"

#include "base/status.h"

namespace bouquet::rose {

absl::StatusOr<std::unique_ptr<Encoder>> PostNormEncoder::load(WeightReader& reader, Device& device,
                                                               const PostNormConfig& config, const PostNormNames& names,
                                                               const Limits& limits) {
  std::unique_ptr<PostNormEncoder> encoder(new PostNormEncoder(device));
  const int64_t tokens = limits.max_batch_tokens;
  Workspace& workspace = encoder->workspace_;
  ASSIGN_OR_RETURN(encoder->embedding_, Embedding::load(reader, workspace, names.embedding, config.embedding, tokens));
  for (int32_t i = 0; i < config.layers; ++i) {
    PostNormLayerConfig layer_config = config.layer;
    if (!config.places.empty()) layer_config.attention.places = config.places[size_t(i)];
    ASSIGN_OR_RETURN(PostNormLayer layer, PostNormLayer::load(reader, names.layer(i), layer_config));
    encoder->layers_.push_back(std::move(layer));
  }
  const PostNormLayerConfig& l = config.layer;
  ASSIGN_OR_RETURN(encoder->hidden_, workspace.matrix(tokens, config.embedding.hidden));
  ASSIGN_OR_RETURN(encoder->activations_, LayerActivations::create(workspace, l.attention, l.feed_forward, tokens));
  return encoder;
}

Tensor PostNormEncoder::forward(const ops::Context& context) {
  embedding_.forward(context, hidden_);
  for (const PostNormLayer& layer : layers_) layer.forward(context, activations_, hidden_);
  return hidden_;
}

}  // namespace bouquet::rose
