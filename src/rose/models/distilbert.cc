// DistilBERT (Sanh et al. 2019): BERT without token types, under other names.
#include "base/status.h"
#include "fmt/format.h"
#include "rose/models/bert_config.h"
#include "rose/models/model_directory.h"

namespace bouquet::rose {
namespace {

PostNormLayerNames layer_names(int32_t index) {
  const std::string layer = fmt::format("transformer.layer.{}.", index), attention = layer + "attention.";
  return {.attention = {.qkv = {attention + "q_lin", attention + "k_lin", attention + "v_lin"},
                        .output = attention + "out_lin"},
          .attention_norm = layer + "sa_layer_norm",
          .feed_forward = {.up = {layer + "ffn.lin1"}, .down = layer + "ffn.lin2"},
          .output_norm = layer + "output_layer_norm"};
}

const PostNormNames kNames = {.embedding = {.words = "embeddings.word_embeddings.weight",
                                            .places = "embeddings.position_embeddings.weight",
                                            .norm = "embeddings.LayerNorm"},
                              .layer = layer_names};

absl::StatusOr<PostNormConfig> parse(const JsonConfig& config) {
  PostNormConfig c;
  ASSIGN_OR_RETURN(c.embedding.vocab_size, config.integer("vocab_size"));
  ASSIGN_OR_RETURN(c.embedding.places, config.integer_or("max_position_embeddings", 512));
  ASSIGN_OR_RETURN(c.layers, config.integer("n_layers"));
  ASSIGN_OR_RETURN(const int32_t hidden, config.integer("dim"));
  ASSIGN_OR_RETURN(const int32_t heads, config.integer("n_heads"));
  ASSIGN_OR_RETURN(const int32_t intermediate, config.integer("hidden_dim"));
  set_widths(hidden, heads, intermediate, &c);
  c.layer.norm = c.embedding.norm = {NormKind::kLayer, 1e-12f, 0};  // not in the config: the code's own number
  ASSIGN_OR_RETURN(const std::string activation, config.string_or("activation", "gelu"));
  ASSIGN_OR_RETURN(c.layer.feed_forward.activation, parse_activation(activation));
  RETURN_IF_ERROR(check_sizes(config, c));
  return c;
}

}  // namespace

absl::StatusOr<Architecture> distilbert(const JsonConfig& config) {
  ASSIGN_OR_RETURN(const PostNormConfig c, parse(config));
  Architecture a;
  a.name = "distilbert";
  a.sizes = sizes_of(c);
  a.load = [c](WeightReader& reader, Device& device, const Limits& limits) -> absl::StatusOr<std::unique_ptr<Encoder>> {
    RETURN_IF_ERROR(reader.choose_prefix({"", "distilbert.", "model."}, kNames.embedding.words));
    return PostNormEncoder::load(reader, device, c, kNames, limits);
  };
  a.classifier.dense = "pre_classifier";
  a.classifier.activation = Activation::kRelu;
  a.classifier.output = "classifier";
  ASSIGN_OR_RETURN(a.masked_lm, masked_lm(config, c, "vocab_projector.weight"));
  a.masked_lm.dense = "vocab_transform";
  a.masked_lm.norm = "vocab_layer_norm";
  a.masked_lm.bias = "vocab_projector.bias";
  a.unused = {"embeddings.position_ids", "vocab_transform.", "vocab_layer_norm.", "vocab_projector."};
  return a;
}

}  // namespace bouquet::rose
