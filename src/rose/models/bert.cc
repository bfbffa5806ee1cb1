// BERT's config, weights and forward.
#include "rose/models/bert.h"

#include "base/status.h"
#include "fmt/format.h"
#include "rose/models/model_directory.h"

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

absl::StatusOr<BertConfig> BertConfig::parse(const JsonConfig& config) {
  RETURN_IF_ERROR(check_variant(config));
  BertConfig c{};
  ASSIGN_OR_RETURN(c.vocab_size, config.integer("vocab_size"));
  ASSIGN_OR_RETURN(c.type_vocab_size, config.integer_or("type_vocab_size", 2));
  ASSIGN_OR_RETURN(c.max_positions, config.integer_or("max_position_embeddings", 512));
  ASSIGN_OR_RETURN(c.layers, config.integer("num_hidden_layers"));
  ASSIGN_OR_RETURN(c.layer.hidden, config.integer("hidden_size"));
  ASSIGN_OR_RETURN(c.layer.heads, config.integer("num_attention_heads"));
  ASSIGN_OR_RETURN(c.layer.intermediate, config.integer("intermediate_size"));
  ASSIGN_OR_RETURN(const double epsilon, config.number_or("layer_norm_eps", 1e-12));
  ASSIGN_OR_RETURN(const std::string activation, config.string_or("hidden_act", "gelu"));
  ASSIGN_OR_RETURN(c.layer.activation, parse_activation(activation));
  c.layer.epsilon = static_cast<float>(epsilon);
  const EncoderLayerConfig& l = c.layer;
  if (c.vocab_size < 1 || c.type_vocab_size < 1 || c.max_positions < 1 || c.layers < 0 || l.heads < 1 ||
      l.intermediate < 1 || l.hidden < l.heads || l.hidden % l.heads != 0) {
    return absl::InvalidArgumentError(fmt::format("{}: impossible sizes", config.name()));
  }
  return c;
}

absl::StatusOr<std::unique_ptr<Bert>> Bert::load(WeightReader& reader, Device& device, const BertConfig& config,
                                                 int64_t max_tokens) {
  std::unique_ptr<Bert> bert(new Bert(device));
  const int32_t hidden = config.layer.hidden;
  bert->config_ = config;
  RETURN_IF_ERROR(reader.choose_prefix({"", "bert.", "model.", "model.bert."}, "embeddings.word_embeddings.weight"));
  ASSIGN_OR_RETURN(bert->words_, reader.table("embeddings.word_embeddings.weight", config.vocab_size, hidden));
  ASSIGN_OR_RETURN(bert->positions_,
                   reader.table("embeddings.position_embeddings.weight", config.max_positions, hidden));
  ASSIGN_OR_RETURN(bert->types_,
                   reader.table("embeddings.token_type_embeddings.weight", config.type_vocab_size, hidden));
  ASSIGN_OR_RETURN(bert->embedding_norm_,
                   LayerNorm::load(reader, "embeddings.LayerNorm", hidden, config.layer.epsilon));
  for (int32_t i = 0; i < config.layers; ++i) {
    ASSIGN_OR_RETURN(EncoderLayer layer, EncoderLayer::load(reader, fmt::format("encoder.layer.{}", i), config.layer));
    bert->layers_.push_back(std::move(layer));
  }
  ASSIGN_OR_RETURN(bert->hidden_, bert->workspace_.matrix(max_tokens, hidden));
  ASSIGN_OR_RETURN(bert->activations_, EncoderActivations::create(bert->workspace_, config.layer, max_tokens));
  return bert;
}

Tensor Bert::forward(const ops::Context& context) {
  const auto table = [](const Buffer& buffer) { return static_cast<const float*>(buffer.data()); };
  ops::embed(context, {table(*words_), table(*positions_), table(*types_)}, hidden_);
  embedding_norm_.forward(context, hidden_, Tensor{}, hidden_);
  for (const EncoderLayer& layer : layers_) layer.forward(context, activations_, hidden_);
  return hidden_;
}

}  // namespace bouquet::rose
