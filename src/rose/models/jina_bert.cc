// JinaBERT v2 (Günther et al. 2023): a post-norm BERT without position embeddings; the further a key lies, the lower
// its score, by head (ALiBi, Press et al. 2021, to both sides); a gated feed-forward network. The code models normalise
// queries and keys, and add a layer's input twice.
#include <cmath>

#include "base/status.h"
#include "fmt/format.h"
#include "rose/models/bert_config.h"
#include "rose/models/model_directory.h"

namespace bouquet::rose {
namespace {

PostNormLayerNames text_layer_names(int32_t index) {
  const std::string layer = fmt::format("encoder.layer.{}.", index), self = layer + "attention.self.";
  return {
      .attention = {.qkv = {self + "query", self + "key", self + "value"}, .output = layer + "attention.output.dense"},
      .attention_norm = layer + "attention.output.LayerNorm",
      .feed_forward = {.up = {layer + "mlp.gated_layers"}, .down = layer + "mlp.wo"},
      .output_norm = layer + "mlp.layernorm"};
}

// Of the stacked projection the first half multiplies what the second half is activated to.
PostNormLayerNames code_layer_names(int32_t index, int32_t intermediate) {
  const std::string layer = fmt::format("encoder.layer.{}.", index), self = layer + "attention.self.";
  const std::string up = layer + "mlp.up_gated_layer";
  PostNormLayerNames names = text_layer_names(index);
  names.attention.wide_query_norm = self + "layer_norm_q";
  names.attention.wide_key_norm = self + "layer_norm_k";
  names.attention_norm_again = layer + "layer_norm_1";
  names.feed_forward = {.up = {{up, intermediate, intermediate}, {up, 0, intermediate}},
                        .down = layer + "mlp.down_layer"};
  names.output_norm = layer + "layer_norm_2";
  return names;
}

// How fast each head's scores fall: powers of two from the largest power of two of heads, then every second of the next
// series.
std::vector<float> slopes(int32_t heads) {
  const auto series = [](int32_t count) {
    std::vector<float> values;
    for (int32_t i = 1; i <= count; ++i) values.push_back(static_cast<float>(std::exp2(-8.0 * i / count)));
    return values;
  };
  int32_t power = 1;
  while (2 * power <= heads) power *= 2;
  std::vector<float> values = series(power);
  const std::vector<float> next = series(2 * power);
  for (size_t i = 0; static_cast<int32_t>(values.size()) < heads; i += 2) values.push_back(next[i]);
  return values;
}

absl::StatusOr<std::shared_ptr<const DistanceBias>> make_alibi(Device& device, int32_t heads, int32_t max_tokens) {
  const std::vector<float> slope = slopes(heads);
  return DistanceBias::create(device, heads, max_tokens - 1, [&](int32_t head, int32_t distance) {
    return -slope[head] * static_cast<float>(std::abs(distance));
  });
}

absl::StatusOr<std::unique_ptr<Encoder>> load(const PostNormConfig& c, WeightReader& reader, Device& device,
                                              const Limits& limits) {
  PostNormNames names{.embedding = {.words = "embeddings.word_embeddings.weight",
                                    .types = "embeddings.token_type_embeddings.weight",
                                    .norm = "embeddings.LayerNorm"},
                      .layer = text_layer_names};
  RETURN_IF_ERROR(reader.choose_prefix({"", "bert.", "model."}, names.embedding.words));
  if (reader.has("encoder.layer.0.layer_norm_1.weight")) {
    const int32_t intermediate = c.layer.feed_forward.intermediate;
    names.layer = [intermediate](int32_t index) { return code_layer_names(index, intermediate); };
  }
  PostNormConfig placed = c;
  const int32_t heads = c.layer.attention.shape.heads;
  ASSIGN_OR_RETURN(placed.layer.attention.bias, make_alibi(device, heads, limits.max_tokens));
  return PostNormEncoder::load(reader, device, placed, names, limits);
}

}  // namespace

absl::StatusOr<Architecture> jina_bert(const JsonConfig& config) {
  ASSIGN_OR_RETURN(PostNormConfig c, parse_bert_sizes(config));
  ASSIGN_OR_RETURN(const std::string kind, config.string_or("feed_forward_type", "original"));
  if (kind != "geglu" && kind != "reglu") {
    return absl::UnimplementedError(fmt::format("{}: feed_forward_type \"{}\" is not supported", config.name(), kind));
  }
  c.layer.attention.wide_norm = c.layer.norm;
  c.layer.feed_forward.gated = true;
  c.layer.feed_forward.activation = kind == "geglu" ? Activation::kGelu : Activation::kRelu;
  Architecture a;
  a.name = "jina_bert";
  a.sizes = sizes_of(c);
  a.load = [c](WeightReader& reader, Device& device, const Limits& limits) { return load(c, reader, device, limits); };
  a.classifier.dense = "pooler.dense";
  a.classifier.output = "classifier";
  a.unused = {"pooler.dense.weight", "pooler.dense.bias", "cls."};
  a.remote_code = {"JinaBertModel", "JinaBertForMaskedLM", "JinaBertForSequenceClassification",
                   "JinaBertForQuestionAnswering", "JinaBertForTokenClassification"};
  return a;
}

}  // namespace bouquet::rose
