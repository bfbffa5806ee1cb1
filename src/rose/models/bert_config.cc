// Parsing of what BERT's relatives share.
#include "rose/models/bert_config.h"

#include <cmath>

#include "base/status.h"
#include "fmt/format.h"
#include "rose/models/model_directory.h"
#include "rose/models/sizes.h"

namespace bouquet::rose {
namespace {

absl::Status check_variant(const JsonConfig& config) {
  ASSIGN_OR_RETURN(const std::string positions, config.string_or("position_embedding_type", "absolute"));
  if (positions != "absolute") {
    return absl::UnimplementedError(
        fmt::format("{}: position_embedding_type \"{}\" is not supported", config.name(), positions));
  }
  for (const char* key : {"is_decoder", "add_cross_attention"}) {
    ASSIGN_OR_RETURN(const bool on, config.boolean_or(key, false));
    if (on) return absl::UnimplementedError(fmt::format("{}: {} is not supported", config.name(), key));
  }
  return absl::OkStatus();
}

}  // namespace

void set_widths(int32_t hidden, int32_t heads, int32_t intermediate, PostNormConfig* config) {
  config->embedding.width = config->embedding.hidden = hidden;
  AttentionConfig& attention = config->layer.attention;
  attention.hidden = hidden;
  attention.shape = {heads, heads, hidden / std::max(heads, 1)};
  attention.scale = 1.0f / std::sqrt(static_cast<float>(attention.shape.head_dim));
  config->layer.feed_forward.hidden = hidden;
  config->layer.feed_forward.intermediate = intermediate;
}

absl::Status check_sizes(const JsonConfig& config, const PostNormConfig& c) {
  const HeadShape& shape = c.layer.attention.shape;
  RETURN_IF_ERROR(check_claimed_sizes(
      config.name(), {c.embedding.vocab_size, c.layers, c.embedding.hidden, c.layer.feed_forward.intermediate, shape}));
  if (shape.heads * shape.head_dim == c.embedding.hidden) return absl::OkStatus();
  return absl::InvalidArgumentError(fmt::format("{}: hidden_size is no multiple of the heads", config.name()));
}

Sizes sizes_of(const PostNormConfig& config) {
  const EmbeddingConfig& e = config.embedding;
  return {e.hidden, e.vocab_size, std::max(e.types, 1), e.places - e.first_place};
}

absl::StatusOr<PostNormConfig> parse_bert_config(const JsonConfig& config) {
  RETURN_IF_ERROR(check_variant(config));
  return parse_bert_sizes(config);
}

absl::StatusOr<PostNormConfig> parse_bert_sizes(const JsonConfig& config) {
  PostNormConfig c;
  ASSIGN_OR_RETURN(c.embedding.vocab_size, config.integer("vocab_size"));
  ASSIGN_OR_RETURN(c.embedding.types, config.integer_or("type_vocab_size", 2));
  ASSIGN_OR_RETURN(c.embedding.places, config.integer_or("max_position_embeddings", 512));
  ASSIGN_OR_RETURN(c.layers, config.integer("num_hidden_layers"));
  ASSIGN_OR_RETURN(const int32_t hidden, config.integer("hidden_size"));
  ASSIGN_OR_RETURN(const int32_t heads, config.integer("num_attention_heads"));
  ASSIGN_OR_RETURN(const int32_t intermediate, config.integer("intermediate_size"));
  set_widths(hidden, heads, intermediate, &c);
  ASSIGN_OR_RETURN(const double epsilon, config.number_or("layer_norm_eps", 1e-12));
  c.layer.norm = c.embedding.norm = {NormKind::kLayer, static_cast<float>(epsilon), 0};
  ASSIGN_OR_RETURN(const std::string activation, config.string_or("hidden_act", "gelu"));
  ASSIGN_OR_RETURN(c.layer.feed_forward.activation, parse_activation(activation));
  RETURN_IF_ERROR(check_sizes(config, c));
  if (c.embedding.types < 0 || c.embedding.places < 1) {
    return absl::InvalidArgumentError(fmt::format("{}: impossible sizes", config.name()));
  }
  return c;
}

absl::StatusOr<MaskedLmConfig> masked_lm(const JsonConfig& config, const PostNormConfig& c, std::string decoder) {
  MaskedLmConfig out;
  ASSIGN_OR_RETURN(const bool tied, config.boolean_or("tie_word_embeddings", true));
  if (!tied) out.decoder = std::move(decoder);
  out.activation = c.layer.feed_forward.activation;
  out.epsilon = c.layer.norm.epsilon;
  out.words = "embeddings.word_embeddings.weight";
  out.width = c.embedding.width;
  return out;
}

}  // namespace bouquet::rose
