// T5's encoder (Raffel et al. 2020): pre-norm layers with RMS norms and no biases, unscaled scores with a bias by
// bucketed distance that all layers share, plain or gated feed-forward networks.
#include <algorithm>

#include "base/status.h"
#include "fmt/format.h"
#include "rose/models/model_directory.h"
#include "rose/models/pre_norm_encoder.h"
#include "rose/models/sizes.h"

namespace bouquet::rose {
namespace {

struct T5Config {
  EmbeddingConfig embedding;
  PreNormLayerConfig layer;
  int32_t layers = 0;
  int32_t buckets = 0;
  int32_t max_distance = 0;
  int32_t max_positions = 0;  // what the model was trained on: nothing in it ends there
};

PreNormLayerNames layer_names(int32_t index, bool gated) {
  const std::string block = fmt::format("encoder.block.{}.", index), self = block + "layer.0.SelfAttention.";
  const std::string dense = block + "layer.1.DenseReluDense.";
  return {.attention_norm = block + "layer.0.layer_norm",
          .attention = {.qkv = {self + "q", self + "k", self + "v"}, .output = self + "o"},
          .feed_forward_norm = block + "layer.1.layer_norm",
          .feed_forward = {.up = gated ? Stack{dense + "wi_0", dense + "wi_1"} : Stack{dense + "wi"},
                           .down = dense + "wo"}};
}

// "relu", or "gated-" and the gate's activation, whose "gelu" is the approximation by tanh.
absl::Status parse_feed_forward(const JsonConfig& config, FeedForwardConfig* out) {
  ASSIGN_OR_RETURN(const std::string name, config.string_or("feed_forward_proj", "relu"));
  constexpr std::string_view kGated = "gated-";
  out->gated = name.starts_with(kGated);
  const std::string activation = out->gated ? name.substr(kGated.size()) : name;
  ASSIGN_OR_RETURN(out->activation, parse_activation(out->gated && activation == "gelu" ? "gelu_new" : activation));
  return absl::OkStatus();
}

absl::StatusOr<T5Config> parse(const JsonConfig& config) {
  T5Config c;
  ASSIGN_OR_RETURN(c.embedding.vocab_size, config.integer("vocab_size"));
  ASSIGN_OR_RETURN(const int32_t hidden, config.integer("d_model"));
  ASSIGN_OR_RETURN(const int32_t heads, config.integer("num_heads"));
  ASSIGN_OR_RETURN(const int32_t head_dim, config.integer("d_kv"));
  ASSIGN_OR_RETURN(c.layers, config.integer("num_layers"));
  ASSIGN_OR_RETURN(c.layer.feed_forward.intermediate, config.integer("d_ff"));
  ASSIGN_OR_RETURN(c.buckets, config.integer_or("relative_attention_num_buckets", 32));
  ASSIGN_OR_RETURN(c.max_distance, config.integer_or("relative_attention_max_distance", 128));
  ASSIGN_OR_RETURN(c.max_positions, config.integer_or("n_positions", 512));
  ASSIGN_OR_RETURN(const double epsilon, config.number_or("layer_norm_epsilon", 1e-6));
  RETURN_IF_ERROR(parse_feed_forward(config, &c.layer.feed_forward));
  RETURN_IF_ERROR(check_claimed_sizes(
      config.name(),
      {c.embedding.vocab_size, c.layers, hidden, c.layer.feed_forward.intermediate, {heads, heads, head_dim}}));
  if (c.layers < 1 || c.buckets < 4 || c.buckets % 2 || c.max_distance <= c.buckets / 4) {
    return absl::InvalidArgumentError(fmt::format("{}: impossible buckets of distances", config.name()));
  }
  c.embedding.width = c.embedding.hidden = c.layer.attention.hidden = c.layer.feed_forward.hidden = hidden;
  c.layer.attention.shape = {heads, heads, head_dim};
  c.layer.attention.scale = 1;
  c.layer.norm = {NormKind::kRms, static_cast<float>(epsilon), 0};
  return c;
}

// Distances that no sequence has need no bias.
absl::StatusOr<std::shared_ptr<const DistanceBias>> load_bias(const T5Config& c, WeightReader& reader, Device& device,
                                                              int32_t max_tokens) {
  const int32_t heads = c.layer.attention.shape.heads;
  ASSIGN_OR_RETURN(
      const Table table,
      reader.table("encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight", c.buckets, heads));
  const float* values = table.view().f32();
  return DistanceBias::create(device, heads, std::min(c.max_distance, max_tokens - 1),
                              [&](int32_t head, int32_t distance) {
                                return values[relative_bucket(distance, c.buckets, c.max_distance) * heads + head];
                              });
}

absl::StatusOr<std::unique_ptr<Encoder>> load(const T5Config& c, WeightReader& reader, Device& device,
                                              const Limits& limits) {
  RETURN_IF_ERROR(reader.choose_prefix({"", "model."}, "encoder.final_layer_norm.weight"));
  PreNormLayerConfig layer = c.layer;
  ASSIGN_OR_RETURN(layer.attention.bias, load_bias(c, reader, device, limits.max_tokens));
  const PreNormConfig encoder{.embedding = c.embedding,
                              .layers = std::vector<PreNormLayerConfig>(size_t(c.layers), layer),
                              .last_norm = c.layer.norm};
  const bool shared = reader.has("shared.weight");
  const PreNormNames names{.embedding = {.words = shared ? "shared.weight" : "encoder.embed_tokens.weight"},
                           .layer = [&](int32_t index) { return layer_names(index, c.layer.feed_forward.gated); },
                           .last_norm = "encoder.final_layer_norm"};
  return PreNormEncoder::load(reader, device, encoder, names, limits);
}

}  // namespace

absl::StatusOr<Architecture> t5(const JsonConfig& config) {
  ASSIGN_OR_RETURN(const T5Config c, parse(config));
  Architecture a;
  a.name = "t5";
  a.sizes = {c.embedding.hidden, c.embedding.vocab_size, 1, c.max_positions};
  a.load = [c](WeightReader& reader, Device& device, const Limits& limits) { return load(c, reader, device, limits); };
  a.unused = {"decoder.", "lm_head.", "encoder.embed_tokens.weight"};
  return a;
}

}  // namespace bouquet::rose
