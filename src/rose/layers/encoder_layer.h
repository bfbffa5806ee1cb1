// One post-norm transformer encoder layer (Vaswani et al. 2017, as BERT uses it): self-attention, then a feed-forward
// network, each followed by LayerNorm over the sum with its input.
#pragma once

#include "rose/layers/layer_norm.h"
#include "rose/layers/linear.h"
#include "rose/layers/workspace.h"

namespace bouquet::rose {

struct EncoderLayerConfig {
  int32_t hidden;
  int32_t heads;
  int32_t intermediate;
  Activation activation;
  float epsilon;
};

// Shared by all layers of a model.
struct EncoderActivations {
  Tensor qkv;      // [tokens][3 * hidden]
  Tensor context;  // [tokens][hidden] what attention gives
  Tensor output;   // [tokens][hidden] each sublayer's projection
  Tensor inner;    // [tokens][intermediate]

  static absl::StatusOr<EncoderActivations> create(Workspace& workspace, const EncoderLayerConfig& config,
                                                   int64_t tokens);
};

class EncoderLayer {
 public:
  // Tensor names as BERT's: NAME.attention.self.query.weight and so on.
  static absl::StatusOr<EncoderLayer> load(WeightReader& reader, const std::string& name,
                                           const EncoderLayerConfig& config);

  // `hidden` [tokens][hidden] is read and replaced.
  void forward(const ops::Context& context, const EncoderActivations& a, const Tensor& hidden) const;

 private:
  EncoderLayerConfig config_{};
  Linear qkv_, attention_output_, intermediate_, output_;
  LayerNorm attention_norm_, output_norm_;
};

}  // namespace bouquet::rose
