// Sizes, loading and layer names of the BERTs with rotary positions.
#include "rose/models/rotary_bert.h"

#include "base/status.h"
#include "fmt/format.h"
#include "rose/models/bert_config.h"

namespace bouquet::rose {

Sizes sizes_of(const RotaryBert& config) {
  Sizes sizes = sizes_of(config.encoder);
  sizes.max_positions = config.max_positions;
  return sizes;
}

absl::StatusOr<std::unique_ptr<Encoder>> load_rotary_bert(WeightReader& reader, Device& device,
                                                          const RotaryBert& config, const PostNormNames& names,
                                                          const Limits& limits) {
  PostNormConfig placed = config.encoder;
  ASSIGN_OR_RETURN(placed.layer.attention.rope, RopeTable::create(device, config.rope, limits.max_tokens));
  return PostNormEncoder::load(reader, device, placed, names, limits);
}

PostNormLayerNames rotary_layer_names(int32_t index) {
  const std::string layer = fmt::format("layers.{}.", index), self = layer + "self_attn.", mlp = layer + "mlp.";
  return {.attention = {.qkv = {self + "q_proj", self + "k_proj", self + "v_proj"}, .output = self + "o_proj"},
          .attention_norm = layer + "post_attention_layernorm",
          .feed_forward = {.up = {mlp + "gate_proj", mlp + "up_proj"}, .down = mlp + "down_proj"},
          .output_norm = layer + "post_mlp_layernorm"};
}

}  // namespace bouquet::rose
