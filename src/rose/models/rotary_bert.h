// What the BERTs with rotary positions share: post-norm layers, one table of angles for all of them, and the names that
// transformers gave the layers.
#pragma once

#include "rose/models/post_norm_encoder.h"

namespace bouquet::rose {

struct RotaryBert {
  PostNormConfig encoder;  // its layers' rope is set on loading
  RopeConfig rope;
  int32_t max_positions = 0;
};

Sizes sizes_of(const RotaryBert& config);

// With angles for limits.max_tokens positions; the reader's prefix must be chosen.
absl::StatusOr<std::unique_ptr<Encoder>> load_rotary_bert(WeightReader& reader, Device& device,
                                                          const RotaryBert& config, const PostNormNames& names,
                                                          const Limits& limits);

// Of layer `index`, as transformers 5 names them.
PostNormLayerNames rotary_layer_names(int32_t index);

}  // namespace bouquet::rose
