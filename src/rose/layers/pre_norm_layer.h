// A transformer layer with the norms in front (Xiong et al. 2020; T5, Llama, Qwen, ModernBERT): each sublayer reads a
// norm of the stream and adds to it. Gemma normalises what a sublayer adds as well.
#pragma once

#include "rose/layers/post_norm_layer.h"

namespace bouquet::rose {

struct PreNormLayerConfig {
  AttentionConfig attention;
  FeedForwardConfig feed_forward;
  NormConfig norm;
};

struct PreNormLayerNames {
  std::string attention_norm;  // "": attention reads the stream itself (ModernBERT's first layer)
  AttentionNames attention;
  std::string after_attention;  // norm of what attention adds; "": none
  std::string feed_forward_norm;
  FeedForwardNames feed_forward;
  std::string after_feed_forward;  // "": none
};

class PreNormLayer {
 public:
  static absl::StatusOr<PreNormLayer> load(WeightReader& reader, const PreNormLayerNames& names,
                                           const PreNormLayerConfig& config);

  // Adds to `stream` [tokens][hidden] all but the feed-forward network's part, which is left in a.output: whoever reads
  // the stream next adds it while it normalises. `first`: a.output holds nothing yet. `normed` [tokens][hidden] is
  // scratch.
  void forward(const ops::Context& context, const LayerActivations& a, const Tensor& stream, const Tensor& normed,
               bool first) const;

 private:
  std::optional<Norm> attention_norm_;
  SelfAttention attention_;
  std::optional<Norm> after_attention_;
  Norm feed_forward_norm_;
  FeedForward feed_forward_;
  std::optional<Norm> after_feed_forward_;
};

}  // namespace bouquet::rose
