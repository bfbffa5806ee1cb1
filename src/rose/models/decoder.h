// The decoders that share one shape: RMS norms in front, rotary positions, grouped queries, a gated feed-forward
// network. As embedders they run without a cache, causal or in both directions.
#pragma once

#include "rose/models/pre_norm_encoder.h"
#include "rose/models/rope_config.h"

namespace bouquet::rose {

struct DecoderConfig {
  EmbeddingConfig embedding;
  AttentionConfig attention;  // of full-attention layers, without rope
  FeedForwardConfig feed_forward;
  NormConfig norm;
  RopeConfig rope;
  std::vector<int32_t> windows;  // by layer: keys behind a query that it sees, itself not counted; kUnbounded: all
  bool head_norms = false;
  int32_t padding = kNoPadding;  // a classifier reads the last token that is another
  int32_t max_positions = 0;

  Sizes sizes() const { return {embedding.hidden, embedding.vocab_size, 1, max_positions}; }
};

// By the names that Llama gave the keys and all others took. `windows` is left for the caller's own rule: none.
absl::StatusOr<DecoderConfig> parse_decoder(const JsonConfig& config);

Architecture decoder_architecture(std::string name, DecoderConfig config);

}  // namespace bouquet::rose
