// GTE, "new" in its own code (Zhang et al. 2024, mGTE): a post-norm BERT with rotary positions and a gated feed-forward
// network.
#include <cmath>

#include "base/status.h"
#include "fmt/format.h"
#include "rose/models/bert_config.h"
#include "rose/models/model_directory.h"
#include "rose/models/rope_config.h"
#include "rose/models/rotary_bert.h"

namespace bouquet::rose {
namespace {

// Of the stacked projection the first half multiplies what the second half is activated to.
PostNormLayerNames own_layer_names(int32_t index, int32_t intermediate) {
  const std::string layer = fmt::format("encoder.layer.{}.", index), up = layer + "mlp.up_gate_proj";
  return {.attention = {.qkv = {layer + "attention.qkv_proj"}, .output = layer + "attention.o_proj"},
          .attention_norm = layer + "attn_ln",
          .feed_forward = {.up = {{up, intermediate, intermediate}, {up, 0, intermediate}},
                           .down = layer + "mlp.down_proj"},
          .output_norm = layer + "mlp_ln"};
}

PostNormNames names(bool own, const PostNormConfig& config) {
  const int32_t intermediate = config.layer.feed_forward.intermediate;
  PostNormNames names{.embedding = {.words = "embeddings.word_embeddings.weight", .norm = "embeddings.LayerNorm"},
                      .layer = rotary_layer_names};
  if (own) names.layer = [intermediate](int32_t index) { return own_layer_names(index, intermediate); };
  if (config.embedding.types > 0) names.embedding.types = "embeddings.token_type_embeddings.weight";
  return names;
}

absl::Status check_variant(const JsonConfig& config) {
  ASSIGN_OR_RETURN(const bool packed, config.boolean_or("pack_qkv", true));
  if (!packed) return absl::UnimplementedError(config.name() + ": pack_qkv false is not supported");
  for (const char* key : {"logn_attention_scale", "logn_attention_clip1"}) {
    ASSIGN_OR_RETURN(const bool on, config.boolean_or(key, false));
    if (on) return absl::UnimplementedError(fmt::format("{}: {} is not supported", config.name(), key));
  }
  ASSIGN_OR_RETURN(const std::string norm, config.string_or("layer_norm_type", "layer_norm"));
  ASSIGN_OR_RETURN(const std::string positions, config.string_or("position_embedding_type", "rope"));
  if (norm != "layer_norm" || positions != "rope") {
    return absl::UnimplementedError(
        fmt::format("{}: layer_norm_type \"{}\" with position_embedding_type \"{}\"", config.name(), norm, positions));
  }
  return absl::OkStatus();
}

// The original code's NTK scaling: a larger theta, and all frequencies divided, at every length.
absl::StatusOr<RopeConfig> parse_positions(const JsonConfig& config, int32_t head_dim) {
  ASSIGN_OR_RETURN(const auto scaling, config.object("rope_scaling"));
  std::string kind;
  if (scaling) {
    ASSIGN_OR_RETURN(kind, scaling->string_or("type", ""));
  }
  if (kind != "ntk") return parse_rope(config, head_dim, {.theta = 160000, .partial = 1, .layer_type = ""});
  if (head_dim % 2) return absl::InvalidArgumentError(config.name() + ": rotary positions need an even head_dim");
  if (scaling->has("mixed_b")) return absl::UnimplementedError(scaling->name() + ": mixed_b is not supported");
  ASSIGN_OR_RETURN(const double factor, scaling->number_or("factor", 1));
  ASSIGN_OR_RETURN(const double theta, config.number_or("rope_theta", 10000));
  RopeConfig rope = plain_rope(head_dim, theta * factor);
  for (float& frequency : rope.frequencies) frequency /= static_cast<float>(std::pow(factor, 2.0 / head_dim));
  return rope;
}

absl::StatusOr<RotaryBert> parse(const JsonConfig& config) {
  RETURN_IF_ERROR(check_variant(config));
  RotaryBert out;
  PostNormConfig& c = out.encoder;
  ASSIGN_OR_RETURN(c.embedding.vocab_size, config.integer("vocab_size"));
  ASSIGN_OR_RETURN(c.embedding.types, config.integer_or("type_vocab_size", 0));
  ASSIGN_OR_RETURN(c.layers, config.integer("num_hidden_layers"));
  ASSIGN_OR_RETURN(const int32_t hidden, config.integer("hidden_size"));
  ASSIGN_OR_RETURN(const int32_t heads, config.integer("num_attention_heads"));
  ASSIGN_OR_RETURN(const int32_t intermediate, config.integer("intermediate_size"));
  ASSIGN_OR_RETURN(out.max_positions, config.integer_or("max_position_embeddings", 8192));
  set_widths(hidden, heads, intermediate, &c);
  ASSIGN_OR_RETURN(const double epsilon, config.number_or("layer_norm_eps", 1e-12));
  c.layer.norm = c.embedding.norm = {NormKind::kLayer, static_cast<float>(epsilon), 0};
  c.layer.feed_forward.gated = true;
  ASSIGN_OR_RETURN(const std::string activation, config.string_or("hidden_act", "gelu"));
  ASSIGN_OR_RETURN(c.layer.feed_forward.activation, parse_activation(activation));
  RETURN_IF_ERROR(check_sizes(config, c));
  ASSIGN_OR_RETURN(out.rope, parse_positions(config, hidden / heads));
  return out;
}

}  // namespace

absl::StatusOr<Architecture> gte(const JsonConfig& config) {
  ASSIGN_OR_RETURN(const RotaryBert c, parse(config));
  Architecture a;
  a.name = "gte";
  a.sizes = sizes_of(c);
  a.load = [c](WeightReader& reader, Device& device, const Limits& limits) -> absl::StatusOr<std::unique_ptr<Encoder>> {
    RETURN_IF_ERROR(reader.choose_prefix({"", "new.", "gte.", "model."}, "embeddings.word_embeddings.weight"));
    const bool own = reader.has("encoder.layer.0.attn_ln.weight");
    return load_rotary_bert(reader, device, c, names(own, c.encoder), limits);
  };
  a.classifier.dense = "pooler.dense";
  a.classifier.output = "classifier";
  a.unused = {"embeddings.position_ids", "pooler.dense.weight", "pooler.dense.bias", "lm_head.", "rotary_emb.inv_freq"};
  a.remote_code = {"NewModel",
                   "NewForSequenceClassification",
                   "NewForMaskedLM",
                   "NewForTokenClassification",
                   "NewForQuestionAnswering",
                   "NewForMultipleChoice"};
  return a;
}

}  // namespace bouquet::rose
