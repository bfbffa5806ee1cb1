// Parsing and loading of what decoders share.
#include "rose/models/decoder.h"

#include <algorithm>
#include <cmath>

#include "base/status.h"
#include "fmt/format.h"
#include "rose/models/model_directory.h"
#include "rose/models/sizes.h"

namespace bouquet::rose {
namespace {

// Embedders made of decoders often look both ways; each of these keys says so.
absl::StatusOr<bool> is_causal(const JsonConfig& config) {
  ASSIGN_OR_RETURN(const bool causal, config.boolean_or("is_causal", true));
  ASSIGN_OR_RETURN(const bool both_ways, config.boolean_or("use_bidirectional_attention", false));
  return causal && !both_ways;
}

absl::Status check_sizes(const JsonConfig& config, const DecoderConfig& c, int32_t layers) {
  if (layers < 1) return absl::InvalidArgumentError(fmt::format("{}: no layers", config.name()));
  return check_claimed_sizes(config.name(), {c.embedding.vocab_size, layers, c.embedding.hidden,
                                             c.feed_forward.intermediate, c.attention.shape});
}

}  // namespace

absl::StatusOr<DecoderConfig> parse_decoder(const JsonConfig& config, const DecoderDefaults& defaults) {
  DecoderConfig c;
  ASSIGN_OR_RETURN(c.embedding.vocab_size, config.integer("vocab_size"));
  ASSIGN_OR_RETURN(const int32_t hidden, config.integer("hidden_size"));
  ASSIGN_OR_RETURN(const int32_t heads, config.integer("num_attention_heads"));
  ASSIGN_OR_RETURN(const int32_t kv_heads, config.integer_or("num_key_value_heads", heads));
  const int32_t usual_dim = defaults.head_dim > 0 ? defaults.head_dim : hidden / std::max(heads, 1);
  ASSIGN_OR_RETURN(const int32_t head_dim, config.integer_or("head_dim", usual_dim));
  ASSIGN_OR_RETURN(const int32_t layers, config.integer("num_hidden_layers"));
  ASSIGN_OR_RETURN(c.feed_forward.intermediate, config.integer("intermediate_size"));
  ASSIGN_OR_RETURN(c.max_positions, config.integer_or("max_position_embeddings", 2048));
  ASSIGN_OR_RETURN(const double epsilon, config.number_or("rms_norm_eps", defaults.epsilon));
  ASSIGN_OR_RETURN(const std::string usual, config.string_or("hidden_act", defaults.activation));
  ASSIGN_OR_RETURN(const std::string activation, config.string_or("hidden_activation", usual));
  ASSIGN_OR_RETURN(const bool causal, is_causal(config));
  c.embedding.width = c.embedding.hidden = c.feed_forward.hidden = c.attention.hidden = hidden;
  c.norm = {NormKind::kRms, static_cast<float>(epsilon), 0};
  c.attention.shape = {heads, kv_heads, head_dim};
  c.attention.head_norm = c.norm;
  c.feed_forward.gated = true;
  ASSIGN_OR_RETURN(c.feed_forward.activation, parse_activation(activation));
  RETURN_IF_ERROR(check_sizes(config, c, layers));
  c.attention.scale = 1.0f / std::sqrt(static_cast<float>(head_dim));
  c.layers.assign(layers, {c.attention.shape, kUnbounded, causal ? 0 : kUnbounded, 0});
  ASSIGN_OR_RETURN(c.padding, config.integer_or("pad_token_id", kNoPadding));
  ASSIGN_OR_RETURN(c.tied, config.boolean_or("tie_word_embeddings", false));
  ASSIGN_OR_RETURN(const RopeConfig rope, parse_rope(config, head_dim, {}));
  c.ropes = {rope};
  return c;
}

bool DecoderConfig::causal() const {
  return std::all_of(layers.begin(), layers.end(), [](const DecoderLayer& layer) { return layer.right == 0; });
}

absl::StatusOr<std::vector<AttentionConfig>> decoder_attentions(const DecoderConfig& config, Device& device,
                                                                const Limits& limits) {
  std::vector<std::shared_ptr<const RopeTable>> tables;
  for (const RopeConfig& rope : config.ropes) {
    ASSIGN_OR_RETURN(auto table, RopeTable::create(device, rope, limits.max_tokens));
    tables.push_back(std::move(table));
  }
  std::vector<AttentionConfig> attentions;
  for (const DecoderLayer& layer : config.layers) {
    AttentionConfig attention = config.attention;
    attention.shape = layer.shape;
    attention.left = layer.left;
    attention.right = layer.right;
    attention.rope = tables[layer.rope];
    if (limits.cache_blocks > 0) {
      ASSIGN_OR_RETURN(attention.cache, KeyValueCache::create(device, attention.shape, limits.cache_blocks));
    }
    attentions.push_back(std::move(attention));
  }
  return attentions;
}

PreNormLayerNames decoder_layer_names(int32_t index, const DecoderConfig& config) {
  const bool head_norms = config.head_norms, outer_norms = config.outer_norms;
  const std::string layer = fmt::format("layers.{}.", index), attention = layer + "self_attn.", mlp = layer + "mlp.";
  return {.attention_norm = layer + "input_layernorm",
          .attention = {.qkv = {attention + "q_proj", attention + "k_proj", attention + "v_proj"},
                        .output = attention + "o_proj",
                        .query_norm = head_norms ? attention + "q_norm" : "",
                        .key_norm = head_norms ? attention + "k_norm" : ""},
          .after_attention = outer_norms ? layer + "post_attention_layernorm" : "",
          .feed_forward_norm = layer + (outer_norms ? "pre_feedforward_layernorm" : "post_attention_layernorm"),
          .feed_forward = {.up = {mlp + "gate_proj", mlp + "up_proj"}, .down = mlp + "down_proj"},
          .after_feed_forward = outer_norms ? layer + "post_feedforward_layernorm" : ""};
}

Architecture decoder_architecture(std::string name, DecoderConfig config) {
  Architecture a;
  a.name = std::move(name);
  a.sizes = config.sizes();
  const int32_t padding = config.padding;
  if (config.causal()) a.language_model = config.tied ? LanguageModel::kTied : LanguageModel::kUntied;
  a.load = [c = std::move(config)](WeightReader& reader, Device& device,
                                   const Limits& limits) -> absl::StatusOr<std::unique_ptr<Encoder>> {
    RETURN_IF_ERROR(reader.choose_prefix({"", "model.", "model.model."}, "embed_tokens.weight"));
    PreNormConfig encoder{.embedding = c.embedding, .layers = {}, .last_norm = c.norm};
    ASSIGN_OR_RETURN(const std::vector<AttentionConfig> attentions, decoder_attentions(c, device, limits));
    for (const AttentionConfig& attention : attentions) {
      encoder.layers.push_back({attention, c.feed_forward, c.norm});
    }
    const PreNormNames names{.embedding = {.words = "embed_tokens.weight"},
                             .layer = [&](int32_t index) { return decoder_layer_names(index, c); },
                             .last_norm = "norm"};
    return PreNormEncoder::load(reader, device, encoder, names, limits);
  };
  a.classifier.pooling = Pooling::kLastToken;
  a.classifier.padding = padding;
  a.classifier.output = "score";
  a.unused = {"rotary_emb.inv_freq", "lm_head."};
  return a;
}

}  // namespace bouquet::rose
