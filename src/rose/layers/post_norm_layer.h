// A transformer encoder layer as it was first published (Vaswani et al. 2017; BERT): self-attention, then a
// feed-forward network, each followed by a norm over the sum with its input.
#pragma once

#include <optional>

#include "rose/layers/feed_forward.h"
#include "rose/layers/self_attention.h"

namespace bouquet::rose {

struct PostNormLayerConfig {
  AttentionConfig attention;
  FeedForwardConfig feed_forward;
  NormConfig norm;
};

struct PostNormLayerNames {
  AttentionNames attention;
  std::string attention_norm;
  std::string attention_norm_again = "";  // over that norm's result with the layer's input added again; "": none
  FeedForwardNames feed_forward;
  std::string output_norm;
};

// Shared by all layers of a model.
struct LayerActivations {
  AttentionActivations attention;
  FeedForwardActivations feed_forward;
  Tensor output;  // [tokens][hidden] what a sublayer gives

  static absl::StatusOr<LayerActivations> create(Workspace& workspace, const AttentionConfig& attention,
                                                 const FeedForwardConfig& feed_forward, int64_t tokens);
};

class PostNormLayer {
 public:
  static absl::StatusOr<PostNormLayer> load(WeightReader& reader, const PostNormLayerNames& names,
                                            const PostNormLayerConfig& config);
  // `hidden` [tokens][hidden] is read and replaced.
  void forward(const ops::Context& context, const LayerActivations& a, const Tensor& hidden) const;

 private:
  SelfAttention attention_;
  Norm attention_norm_;
  std::optional<Norm> attention_norm_again_;
  FeedForward feed_forward_;
  Norm output_norm_;
};

}  // namespace bouquet::rose
