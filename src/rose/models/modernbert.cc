// ModernBERT (Warner et al. 2024): pre-norm layers without biases, gated, with rotary positions; every third layer
// sees all, the others a window around themselves, with another theta.
#include <algorithm>
#include <cmath>

#include "base/status.h"
#include "fmt/format.h"
#include "rose/models/layer_types.h"
#include "rose/models/model_directory.h"
#include "rose/models/pre_norm_encoder.h"
#include "rose/models/rope_config.h"
#include "rose/models/sizes.h"

namespace bouquet::rose {
namespace {

struct ModernBertConfig {
  EmbeddingConfig embedding;
  PreNormLayerConfig layer;
  std::vector<bool> full;  // by layer: sees all
  int32_t window = 0;      // tokens that the others see to each side
  RopeConfig full_rope, window_rope;
  int32_t max_positions = 0;
};

PreNormLayerNames layer_names(int32_t index) {
  const std::string layer = fmt::format("layers.{}.", index);
  return {.attention_norm = index == 0 ? "" : layer + "attn_norm",
          .attention = {.qkv = {layer + "attn.Wqkv"}, .output = layer + "attn.Wo"},
          .after_attention = "",
          .feed_forward_norm = layer + "mlp_norm",
          .feed_forward = {.up = {layer + "mlp.Wi"}, .down = layer + "mlp.Wo"},
          .after_feed_forward = ""};
}

const PreNormNames kNames = {.embedding = {.words = "embeddings.tok_embeddings.weight", .norm = "embeddings.norm"},
                             .layer = layer_names,
                             .last_norm = "final_norm"};

absl::Status parse_ropes(const JsonConfig& config, ModernBertConfig* c) {
  ASSIGN_OR_RETURN(const double full, config.number_or("global_rope_theta", 160000));
  ASSIGN_OR_RETURN(const double window, config.number_or("local_rope_theta", 10000));
  const int32_t dim = c->layer.attention.shape.head_dim;
  ASSIGN_OR_RETURN(c->full_rope,
                   parse_rope(config, dim, {.theta = full, .partial = 1, .layer_type = "full_attention"}));
  ASSIGN_OR_RETURN(c->window_rope,
                   parse_rope(config, dim, {.theta = window, .partial = 1, .layer_type = "sliding_attention"}));
  return absl::OkStatus();
}

absl::StatusOr<ModernBertConfig> parse(const JsonConfig& config) {
  ModernBertConfig c;
  ASSIGN_OR_RETURN(c.embedding.vocab_size, config.integer("vocab_size"));
  ASSIGN_OR_RETURN(const int32_t hidden, config.integer("hidden_size"));
  ASSIGN_OR_RETURN(const int32_t heads, config.integer("num_attention_heads"));
  ASSIGN_OR_RETURN(const int32_t layers, config.integer("num_hidden_layers"));
  ASSIGN_OR_RETURN(c.layer.feed_forward.intermediate, config.integer("intermediate_size"));
  ASSIGN_OR_RETURN(c.max_positions, config.integer_or("max_position_embeddings", 8192));
  ASSIGN_OR_RETURN(const int32_t window, config.integer_or("local_attention", 128));
  ASSIGN_OR_RETURN(const double epsilon, config.number_or("norm_eps", 1e-5));
  ASSIGN_OR_RETURN(const std::string activation, config.string_or("hidden_activation", "gelu"));
  ASSIGN_OR_RETURN(c.layer.feed_forward.activation, parse_activation(activation));
  RETURN_IF_ERROR(check_claimed_sizes(config.name(), {c.embedding.vocab_size,
                                                      layers,
                                                      hidden,
                                                      c.layer.feed_forward.intermediate,
                                                      {heads, heads, hidden / std::max(heads, 1)}}));
  if (hidden % heads != 0 || layers < 1 || window < 1) {
    return absl::InvalidArgumentError(fmt::format("{}: impossible sizes", config.name()));
  }
  c.window = window / 2;
  c.embedding.width = c.embedding.hidden = c.layer.attention.hidden = c.layer.feed_forward.hidden = hidden;
  c.embedding.norm = c.layer.norm = {NormKind::kLayer, static_cast<float>(epsilon), 0};
  c.layer.attention.shape = {heads, heads, hidden / heads};
  c.layer.attention.scale = 1.0f / std::sqrt(static_cast<float>(hidden / heads));
  c.layer.feed_forward.gated = true;
  ASSIGN_OR_RETURN(const int32_t every, config.integer_or("global_attn_every_n_layers", 3));
  ASSIGN_OR_RETURN(c.full, parse_full_layers(config, layers, {.first = 0, .every = every}));
  RETURN_IF_ERROR(parse_ropes(config, &c));
  return c;
}

absl::StatusOr<std::unique_ptr<Encoder>> load(const ModernBertConfig& c, WeightReader& reader, Device& device,
                                              const Limits& limits) {
  RETURN_IF_ERROR(reader.choose_prefix({"", "model."}, kNames.embedding.words));
  ASSIGN_OR_RETURN(const auto full_rope, RopeTable::create(device, c.full_rope, limits.max_tokens));
  ASSIGN_OR_RETURN(const auto window_rope, RopeTable::create(device, c.window_rope, limits.max_tokens));
  PreNormConfig encoder{.embedding = c.embedding, .layers = {}, .last_norm = c.layer.norm};
  for (const bool full : c.full) {
    PreNormLayerConfig layer = c.layer;
    layer.attention.rope = full ? full_rope : window_rope;
    if (!full) layer.attention.left = layer.attention.right = c.window;
    encoder.layers.push_back(std::move(layer));
  }
  return PreNormEncoder::load(reader, device, encoder, kNames, limits);
}

absl::StatusOr<ClassifierConfig> parse_classifier(const JsonConfig& config, float epsilon) {
  ClassifierConfig c{.dense = "head.dense", .norm = "head.norm", .epsilon = epsilon, .output = "classifier"};
  ASSIGN_OR_RETURN(const std::string pooling, config.string_or("classifier_pooling", "cls"));
  ASSIGN_OR_RETURN(const std::string activation, config.string_or("classifier_activation", "gelu"));
  ASSIGN_OR_RETURN(c.pooling, parse_pooling(pooling));
  ASSIGN_OR_RETURN(c.activation, parse_activation(activation));
  return c;
}

}  // namespace

absl::StatusOr<Architecture> modernbert(const JsonConfig& config) {
  ASSIGN_OR_RETURN(ModernBertConfig c, parse(config));
  Architecture a;
  a.name = "modernbert";
  a.sizes = {c.embedding.hidden, c.embedding.vocab_size, 1, c.max_positions};
  ASSIGN_OR_RETURN(a.classifier, parse_classifier(config, c.layer.norm.epsilon));
  ASSIGN_OR_RETURN(const bool tied, config.boolean_or("tie_word_embeddings", true));
  a.masked_lm = {.dense = "head.dense",
                 .activation = a.classifier.activation,
                 .norm = "head.norm",
                 .epsilon = c.layer.norm.epsilon,
                 .words = kNames.embedding.words,
                 .decoder = tied ? "" : "decoder.weight",
                 .bias = "decoder.bias",
                 .width = c.embedding.width};
  a.load = [c = std::move(c)](WeightReader& reader, Device& device, const Limits& limits) {
    return load(c, reader, device, limits);
  };
  a.keys_without_effect = {"layer_norm_eps", "position_embedding_type"};
  a.unused = {"head.dense.weight", "head.dense.bias", "head.norm.weight",
              "head.norm.bias",    "decoder.weight",  "decoder.bias"};
  return a;
}

}  // namespace bouquet::rose
