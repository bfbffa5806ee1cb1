// Embeddings, pre-norm layers, a last norm: T5, ModernBERT, and the decoders (Llama, Qwen, Gemma) as embedders.
#pragma once

#include "rose/layers/embedding.h"
#include "rose/layers/pre_norm_layer.h"
#include "rose/models/architecture.h"

namespace bouquet::rose {

struct PreNormConfig {
  EmbeddingConfig embedding;
  std::vector<PreNormLayerConfig> layers;  // they differ in their windows and rotary tables
  NormConfig last_norm;
};

struct PreNormNames {
  EmbeddingNames embedding;
  std::function<PreNormLayerNames(int32_t)> layer;  // by index
  std::string last_norm;
};

class PreNormEncoder : public Encoder {
 public:
  static absl::StatusOr<std::unique_ptr<Encoder>> load(WeightReader& reader, Device& device,
                                                       const PreNormConfig& config, const PreNormNames& names,
                                                       const Limits& limits);
  Tensor forward(const ops::Context& context) override;

 private:
  explicit PreNormEncoder(Device& device) : workspace_(device) {}
  Workspace workspace_;
  Embedding embedding_;
  std::vector<PreNormLayer> layers_;
  Norm last_norm_;
  Tensor stream_;  // [tokens][hidden] what layers add to
  Tensor normed_;  // [tokens][hidden]
  LayerActivations activations_;
};

}  // namespace bouquet::rose
