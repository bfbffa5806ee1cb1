// NomicBERT (Nussbaum et al. 2024): a post-norm BERT with rotary positions, a gated feed-forward network and no biases;
// under the names and keys of its own code, or those that transformers gave it.
#include "base/status.h"
#include "fmt/format.h"
#include "rose/models/bert_config.h"
#include "rose/models/model_directory.h"
#include "rose/models/rope_config.h"
#include "rose/models/rotary_bert.h"

namespace bouquet::rose {
namespace {

PostNormLayerNames own_layer_names(int32_t index) {
  const std::string layer = fmt::format("encoder.layers.{}.", index), mlp = layer + "mlp.";
  return {.attention = {.qkv = {layer + "attn.Wqkv"}, .output = layer + "attn.out_proj"},
          .attention_norm = layer + "norm1",
          .feed_forward = {.up = {mlp + "fc12", mlp + "fc11"}, .down = mlp + "fc2"},
          .output_norm = layer + "norm2"};
}

PostNormNames names(bool own) {
  return {.embedding = {.words = "embeddings.word_embeddings.weight",
                        .types = "embeddings.token_type_embeddings.weight",
                        .norm = own ? "emb_ln" : "embeddings.LayerNorm"},
          .layer = own ? own_layer_names : rotary_layer_names};
}

// What the code can do beyond what the models use.
absl::Status check_variant(const JsonConfig& config) {
  for (const char* key : {"rotary_emb_interleaved", "prenorm", "parallel_block", "use_rms_norm", "causal"}) {
    ASSIGN_OR_RETURN(const bool on, config.boolean_or(key, false));
    if (on) return absl::UnimplementedError(fmt::format("{}: {} is not supported", config.name(), key));
  }
  ASSIGN_OR_RETURN(const bool scaled, config.boolean_or("scale_attn_weights", true));
  if (!scaled) return absl::UnimplementedError(config.name() + ": scale_attn_weights false is not supported");
  for (const char* key : {"rotary_scaling_factor", "num_experts", "moe_every_n_layers"}) {
    ASSIGN_OR_RETURN(const double value, config.number_or(key, 0));
    if (value > 0) return absl::UnimplementedError(fmt::format("{}: {} is not supported", config.name(), key));
  }
  return absl::OkStatus();
}

// "swiglu" names the gate and its activation together.
absl::StatusOr<Activation> parse_gate(const JsonConfig& config) {
  ASSIGN_OR_RETURN(const std::string activation, config.string_or("hidden_act", "silu"));
  ASSIGN_OR_RETURN(const std::string gate, config.string_or("activation_function", activation));
  return parse_activation(gate == "swiglu" ? "silu" : gate == "geglu" ? "gelu" : gate);
}

absl::StatusOr<RotaryBert> parse(const JsonConfig& config) {
  RETURN_IF_ERROR(check_variant(config));
  RotaryBert out;
  PostNormConfig& c = out.encoder;
  ASSIGN_OR_RETURN(c.embedding.vocab_size, config.integer("vocab_size"));
  ASSIGN_OR_RETURN(c.embedding.types, config.integer_or("type_vocab_size", 2));
  ASSIGN_OR_RETURN(c.layers, config.either_integer("num_hidden_layers", "n_layer"));
  ASSIGN_OR_RETURN(const int32_t hidden, config.either_integer("hidden_size", "n_embd"));
  ASSIGN_OR_RETURN(const int32_t heads, config.either_integer("num_attention_heads", "n_head"));
  ASSIGN_OR_RETURN(const int32_t intermediate, config.either_integer("intermediate_size", "n_inner"));
  ASSIGN_OR_RETURN(out.max_positions, config.either_integer("max_position_embeddings", "n_positions"));
  ASSIGN_OR_RETURN(const int32_t head_dim, config.integer_or("head_dim", hidden / std::max(heads, 1)));
  if (head_dim * heads != hidden)
    return absl::UnimplementedError(config.name() + ": head_dim of its own is not supported");
  set_widths(hidden, heads, intermediate, &c);
  ASSIGN_OR_RETURN(const double epsilon, config.number_or("layer_norm_eps", 1e-12));
  ASSIGN_OR_RETURN(const double own_epsilon, config.number_or("layer_norm_epsilon", epsilon));
  c.layer.norm = c.embedding.norm = {NormKind::kLayer, static_cast<float>(own_epsilon), 0};
  c.layer.feed_forward.gated = true;
  ASSIGN_OR_RETURN(c.layer.feed_forward.activation, parse_gate(config));
  RETURN_IF_ERROR(check_sizes(config, c));
  ASSIGN_OR_RETURN(const double theta, config.number_or("rotary_emb_base", 1000));
  ASSIGN_OR_RETURN(const double fraction, config.number_or("rotary_emb_fraction", 1));
  ASSIGN_OR_RETURN(out.rope,
                   parse_rope(config, hidden / heads, {.theta = theta, .partial = fraction, .layer_type = ""}));
  return out;
}

}  // namespace

absl::StatusOr<Architecture> nomic_bert(const JsonConfig& config) {
  ASSIGN_OR_RETURN(const RotaryBert c, parse(config));
  Architecture a;
  a.name = "nomic_bert";
  a.sizes = sizes_of(c);
  a.load = [c](WeightReader& reader, Device& device, const Limits& limits) -> absl::StatusOr<std::unique_ptr<Encoder>> {
    RETURN_IF_ERROR(reader.choose_prefix({"", "bert.", "nomic_bert.", "model."}, "embeddings.word_embeddings.weight"));
    return load_rotary_bert(reader, device, c, names(reader.has("emb_ln.weight")), limits);
  };
  a.unused = {"cls.", "pooler.dense.weight", "pooler.dense.bias", "rotary_emb.inv_freq"};
  a.remote_code = {"NomicBertModel", "NomicBertForPreTraining"};
  return a;
}

}  // namespace bouquet::rose
