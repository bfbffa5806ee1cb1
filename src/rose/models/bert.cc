// BERT (Devlin et al. 2018) and those that differ from it in names and positions alone: RoBERTa (Liu et al. 2019),
// XLM-RoBERTa, CamemBERT, ELECTRA (Clark et al. 2020).
#include "base/status.h"
#include "fmt/format.h"
#include "rose/models/bert_config.h"

namespace bouquet::rose {
namespace {

PostNormLayerNames layer_names(int32_t index) {
  const std::string layer = fmt::format("encoder.layer.{}.", index), self = layer + "attention.self.";
  return {
      .attention = {.qkv = {self + "query", self + "key", self + "value"}, .output = layer + "attention.output.dense"},
      .attention_norm = layer + "attention.output.LayerNorm",
      .feed_forward = {.up = {layer + "intermediate.dense"}, .down = layer + "output.dense"},
      .output_norm = layer + "output.LayerNorm"};
}

const PostNormNames kNames = {.embedding = {.words = "embeddings.word_embeddings.weight",
                                            .places = "embeddings.position_embeddings.weight",
                                            .types = "embeddings.token_type_embeddings.weight",
                                            .norm = "embeddings.LayerNorm",
                                            .projection = "embeddings_project"},
                              .layer = layer_names};

// `prefix`: what task models put in front of the encoder's names.
Architecture architecture(std::string name, const PostNormConfig& config, const std::string& prefix) {
  Architecture a;
  a.name = std::move(name);
  a.sizes = sizes_of(config);
  a.load = [config, prefix](WeightReader& reader, Device& device,
                            const Limits& limits) -> absl::StatusOr<std::unique_ptr<Encoder>> {
    RETURN_IF_ERROR(reader.choose_prefix({"", prefix, "model.", "model." + prefix}, kNames.embedding.words));
    return PostNormEncoder::load(reader, device, config, kNames, limits);
  };
  a.unused = {"embeddings.position_ids", "embeddings.token_type_ids", "pooler.dense.weight", "pooler.dense.bias"};
  return a;
}

// Dense + activation on the first token, then the labels.
ClassifierConfig roberta_classifier(Activation activation) {
  return {.pooling = Pooling::kCls,
          .dense = "classifier.dense",
          .activation = activation,
          .norm = "",
          .norm_kind = NormKind::kLayer,
          .epsilon = 0,
          .output = "classifier.out_proj"};
}

}  // namespace

absl::StatusOr<Architecture> bert(const JsonConfig& config) {
  ASSIGN_OR_RETURN(const std::string positions, config.string_or("position_embedding_type", "absolute"));
  if (positions == "alibi") return jina_bert(config);  // calls itself a BERT
  ASSIGN_OR_RETURN(const PostNormConfig c, parse_bert_config(config));
  Architecture a = architecture("bert", c, "bert.");
  a.classifier.dense = "pooler.dense";
  a.classifier.output = "classifier";
  ASSIGN_OR_RETURN(a.masked_lm, masked_lm(config, c, "cls.predictions.decoder.weight"));
  a.masked_lm.dense = "cls.predictions.transform.dense";
  a.masked_lm.norm = "cls.predictions.transform.LayerNorm";
  a.masked_lm.bias = "cls.predictions.bias";
  a.unused.push_back("cls.");  // the heads of pre-training
  return a;
}

absl::StatusOr<Architecture> roberta(const JsonConfig& config) {
  ASSIGN_OR_RETURN(const std::string positions, config.string_or("position_embedding_type", "absolute"));
  if (positions == "rotary") return jina_v3(config);  // calls itself an XLM-RoBERTa
  ASSIGN_OR_RETURN(PostNormConfig c, parse_bert_config(config));
  ASSIGN_OR_RETURN(const int32_t padding, config.integer_or("pad_token_id", 1));
  if (padding < 0 || padding + 1 >= c.embedding.places) {
    return absl::InvalidArgumentError(fmt::format("{}: pad_token_id {} leaves no positions", config.name(), padding));
  }
  c.embedding.first_place = padding + 1;  // places up to the padding's id are never used
  ASSIGN_OR_RETURN(std::string name, config.string_or("model_type", "roberta"));
  Architecture a = architecture(std::move(name), c, "roberta.");
  a.classifier = roberta_classifier(Activation::kTanh);
  ASSIGN_OR_RETURN(a.masked_lm, masked_lm(config, c, "lm_head.decoder.weight"));
  a.masked_lm.activation = Activation::kGelu;
  a.masked_lm.dense = "lm_head.dense";
  a.masked_lm.norm = "lm_head.layer_norm";
  a.masked_lm.bias = "lm_head.bias";
  a.unused.push_back("lm_head.");
  return a;
}

absl::StatusOr<Architecture> electra(const JsonConfig& config) {
  ASSIGN_OR_RETURN(PostNormConfig c, parse_bert_config(config));
  ASSIGN_OR_RETURN(c.embedding.width, config.integer_or("embedding_size", 128));
  if (c.embedding.width < 1) return absl::InvalidArgumentError(config.name() + ": embedding_size must be positive");
  Architecture a = architecture("electra", c, "electra.");
  a.classifier = roberta_classifier(Activation::kGelu);
  a.unused.insert(a.unused.end(), {"discriminator_predictions.", "generator_predictions.", "generator_lm_head."});
  return a;
}

}  // namespace bouquet::rose
