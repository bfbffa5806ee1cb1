// The decoders that share one shape: RMS norms in front, rotary positions, grouped queries, a gated feed-forward
// network. As embedders they run without a cache, causal or in both directions.
#pragma once

#include "rose/models/pre_norm_encoder.h"
#include "rose/models/rope_config.h"

namespace bouquet::rose {

// How one layer's heads lie, what they see, and which of the rotary tables they have.
struct DecoderLayer {
  HeadShape shape{};
  int32_t left = kUnbounded;
  int32_t right = 0;  // 0: causal
  size_t rope = 0;
};

struct DecoderConfig {
  EmbeddingConfig embedding;
  AttentionConfig attention;  // without what differs by layer
  FeedForwardConfig feed_forward;
  NormConfig norm;
  std::vector<RopeConfig> ropes;
  std::vector<DecoderLayer> layers;
  bool head_norms = false;       // of queries and keys
  bool outer_norms = false;      // of what each sublayer adds
  int32_t padding = kNoPadding;  // a classifier reads the last token that is another
  bool tied = false;             // the words' logits come from the table that embeds them
  int32_t max_positions = 0;

  bool causal() const;  // every layer
  Sizes sizes() const { return {embedding.hidden, embedding.vocab_size, 1, max_positions}; }
};

// Where the config has none.
struct DecoderDefaults {
  int32_t head_dim = 0;  // 0: hidden_size / num_attention_heads
  double epsilon = 1e-6;
  std::string_view activation = "silu";
};

// By the names that Llama gave the keys and all others took. All layers see everything (up to the query, where the
// config does not say otherwise): windows are each caller's own rule.
absl::StatusOr<DecoderConfig> parse_decoder(const JsonConfig& config, const DecoderDefaults& defaults = {});

// Of every layer, with the rotary tables that they share and, where there are limits.cache_blocks, their caches.
absl::StatusOr<std::vector<AttentionConfig>> decoder_attentions(const DecoderConfig& config, Device& device,
                                                                const Limits& limits);
PreNormLayerNames decoder_layer_names(int32_t index, const DecoderConfig& config);

Architecture decoder_architecture(std::string name, DecoderConfig config);

}  // namespace bouquet::rose
