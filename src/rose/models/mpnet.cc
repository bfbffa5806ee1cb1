// MPNet (Song et al. 2020): BERT without token types, with places counted from the padding's id and a relative bias,
// bucketed by distance, that all layers share.
#include "base/status.h"
#include "fmt/format.h"
#include "rose/models/bert_config.h"

namespace bouquet::rose {
namespace {

constexpr int32_t kMaxDistance = 128;  // from here on all distances share a bucket
constexpr int32_t kPaddingId = 1;      // fixed in the original code, whatever the config says

PostNormLayerNames layer_names(int32_t index) {
  const std::string layer = fmt::format("encoder.layer.{}.", index), attention = layer + "attention.attn.";
  return {.attention = {.qkv = {attention + "q", attention + "k", attention + "v"}, .output = attention + "o"},
          .attention_norm = layer + "attention.LayerNorm",
          .feed_forward = {.up = {layer + "intermediate.dense"}, .down = layer + "output.dense"},
          .output_norm = layer + "output.LayerNorm"};
}

const PostNormNames kNames = {.embedding = {.words = "embeddings.word_embeddings.weight",
                                            .places = "embeddings.position_embeddings.weight",
                                            .norm = "embeddings.LayerNorm"},
                              .layer = layer_names};

absl::StatusOr<std::shared_ptr<const DistanceBias>> load_bias(WeightReader& reader, Device& device, int32_t buckets,
                                                              int32_t heads) {
  ASSIGN_OR_RETURN(const Table table, reader.table("encoder.relative_attention_bias.weight", buckets, heads));
  const float* values = table.view().f32();
  return DistanceBias::create(device, heads, kMaxDistance, [=](int32_t head, int32_t distance) {
    return values[relative_bucket(distance, buckets, kMaxDistance) * heads + head];
  });
}

}  // namespace

absl::StatusOr<Architecture> mpnet(const JsonConfig& config) {
  ASSIGN_OR_RETURN(PostNormConfig c, parse_bert_config(config));
  ASSIGN_OR_RETURN(const int32_t buckets, config.integer_or("relative_attention_num_buckets", 32));
  if (buckets < 4 || buckets % 2 || buckets / 4 >= kMaxDistance)
    return absl::InvalidArgumentError(config.name() + ": relative_attention_num_buckets");
  c.embedding.types = 0;
  c.embedding.first_place = kPaddingId + 1;
  Architecture a;
  a.name = "mpnet";
  a.sizes = sizes_of(c);
  a.load = [c, buckets](WeightReader& reader, Device& device,
                        const Limits& limits) -> absl::StatusOr<std::unique_ptr<Encoder>> {
    RETURN_IF_ERROR(reader.choose_prefix({"", "mpnet.", "model."}, kNames.embedding.words));
    PostNormConfig placed = c;
    ASSIGN_OR_RETURN(placed.layer.attention.bias, load_bias(reader, device, buckets, c.layer.attention.shape.heads));
    return PostNormEncoder::load(reader, device, placed, kNames, limits);
  };
  a.classifier.dense = "classifier.dense";
  a.classifier.output = "classifier.out_proj";
  a.unused = {"embeddings.position_ids", "pooler.dense.weight", "pooler.dense.bias", "lm_head."};
  return a;
}

}  // namespace bouquet::rose
