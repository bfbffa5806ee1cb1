// jina-embeddings-v3 (Sturua et al. 2024): XLM-RoBERTa with rotary positions instead of learned ones, and low-rank
// adapters, one a task (Hu et al. 2021), of which one may be merged into the weights.
#include "base/status.h"
#include "fmt/format.h"
#include "rose/models/bert_config.h"
#include "rose/models/rope_config.h"
#include "rose/models/rotary_bert.h"

namespace bouquet::rose {
namespace {

PostNormLayerNames layer_names(int32_t index) {
  const std::string layer = fmt::format("encoder.layers.{}.", index);
  return {.attention = {.qkv = {layer + "mixer.Wqkv"}, .output = layer + "mixer.out_proj"},
          .attention_norm = layer + "norm1",
          .feed_forward = {.up = {layer + "mlp.fc1"}, .down = layer + "mlp.fc2"},
          .output_norm = layer + "norm2"};
}

const PostNormNames kNames = {.embedding = {.words = "embeddings.word_embeddings.weight",
                                            .types = "embeddings.token_type_embeddings.weight",
                                            .norm = "emb_ln"},
                              .layer = layer_names};

}  // namespace

absl::StatusOr<Architecture> jina_v3(const JsonConfig& config) {
  RotaryBert c;
  ASSIGN_OR_RETURN(c.encoder, parse_bert_sizes(config));
  c.max_positions = sizes_of(c.encoder).max_positions;
  ASSIGN_OR_RETURN(const double theta, config.number_or("rotary_emb_base", 20000));
  ASSIGN_OR_RETURN(c.rope, parse_rope(config, c.encoder.layer.attention.shape.head_dim,
                                      {.theta = theta, .partial = 1, .layer_type = ""}));
  Architecture a;
  a.name = "jina_embeddings_v3";
  a.sizes = sizes_of(c);
  ASSIGN_OR_RETURN(a.adapters, config.strings("lora_adaptations"));
  ASSIGN_OR_RETURN(const double alpha, config.number_or("lora_alpha", 1));
  ASSIGN_OR_RETURN(const double rank, config.number_or("lora_rank", 4));
  a.adapter_scale = static_cast<float>(alpha / rank);
  a.load = [c](WeightReader& reader, Device& device, const Limits& limits) -> absl::StatusOr<std::unique_ptr<Encoder>> {
    RETURN_IF_ERROR(reader.choose_prefix({"", "roberta.", "model."}, kNames.embedding.words));
    return load_rotary_bert(reader, device, c, kNames, limits);
  };
  a.unused = {
      "pooler.dense.weight", "pooler.dense.bias", "lm_head.", ".lora_A", ".lora_B", "parametrizations.weight.original"};
  a.remote_code = {"XLMRobertaLoRA", "XLMRobertaModel", "XLMRobertaForMaskedLM", "XLMRobertaPreTrainedModel"};
  return a;
}

}  // namespace bouquet::rose
