// Embeddings, then post-norm layers: BERT and its relatives.
#pragma once

#include "rose/layers/embedding.h"
#include "rose/layers/post_norm_layer.h"
#include "rose/models/architecture.h"

namespace bouquet::rose {

struct PostNormConfig {
  EmbeddingConfig embedding;
  int32_t layers = 0;
  PostNormLayerConfig layer;
  std::vector<RelativePlaces> places;  // by layer, or empty: disentangled attention's
};

struct PostNormNames {
  EmbeddingNames embedding;
  std::function<PostNormLayerNames(int32_t)> layer;  // by index
};

class PostNormEncoder : public Encoder {
 public:
  static absl::StatusOr<std::unique_ptr<Encoder>> load(WeightReader& reader, Device& device,
                                                       const PostNormConfig& config, const PostNormNames& names,
                                                       const Limits& limits);
  Tensor forward(const ops::Context& context) override;

 private:
  explicit PostNormEncoder(Device& device) : workspace_(device) {}
  Workspace workspace_;
  Embedding embedding_;
  std::vector<PostNormLayer> layers_;
  Tensor hidden_;  // [tokens][hidden]
  LayerActivations activations_;
};

}  // namespace bouquet::rose
