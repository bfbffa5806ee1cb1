// Gemma 3 (2025) as an embedder, such as EmbeddingGemma: a decoder that normalises what sublayers add as well, with
// windows in most layers, their own theta, and mostly both directions.
#include <cmath>

#include "base/status.h"
#include "fmt/format.h"
#include "rose/models/decoder.h"
#include "rose/models/layer_types.h"
#include "rose/models/model_directory.h"

namespace bouquet::rose {
namespace {

// Old configs scale the full layers' positions alone.
absl::Status parse_ropes(const JsonConfig& config, DecoderConfig* c) {
  const int32_t dim = c->attention.shape.head_dim;
  ASSIGN_OR_RETURN(const double local, config.number_or("rope_local_base_freq", 10000));
  ASSIGN_OR_RETURN(const RopeConfig full,
                   parse_rope(config, dim, {.theta = 1e6, .partial = 1, .layer_type = "full_attention"}));
  RopeConfig window = plain_rope(dim, local);
  if (config.has("rope_parameters")) {
    ASSIGN_OR_RETURN(window,
                     parse_rope(config, dim, {.theta = local, .partial = 1, .layer_type = "sliding_attention"}));
  }
  c->ropes = {full, window};
  return absl::OkStatus();
}

absl::Status parse_windows(const JsonConfig& config, DecoderConfig* c) {
  ASSIGN_OR_RETURN(const int32_t window, config.integer_or("sliding_window", 4096));
  ASSIGN_OR_RETURN(const int32_t pattern, config.integer_or("sliding_window_pattern", 6));
  const auto layers = static_cast<int32_t>(c->layers.size());
  ASSIGN_OR_RETURN(const std::vector<bool> full,
                   parse_full_layers(config, layers, {.first = pattern - 1, .every = pattern}));
  if (window < 1) return absl::InvalidArgumentError(config.name() + ": sliding_window must be positive");
  for (size_t i = 0; i < full.size(); ++i) {
    if (full[i]) continue;
    DecoderLayer& layer = c->layers[i];
    const bool causal = layer.right == 0;
    layer.left = causal ? window - 1 : window / 2;
    layer.right = causal ? 0 : window / 2;
    layer.rope = 1;
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Architecture> gemma3(const JsonConfig& config) {
  for (const char* key : {"attn_logit_softcapping", "final_logit_softcapping"}) {
    if (config.has(key)) return absl::UnimplementedError(fmt::format("{}: {} is not supported", config.name(), key));
  }
  ASSIGN_OR_RETURN(DecoderConfig c, parse_decoder(config, {.head_dim = 256, .activation = "gelu_pytorch_tanh"}));
  ASSIGN_OR_RETURN(const double scalar, config.number_or("query_pre_attn_scalar", 256));
  c.attention.scale = static_cast<float>(1 / std::sqrt(scalar));
  c.attention.head_norm.gamma_offset = c.norm.gamma_offset = 1;
  c.embedding.scale = std::sqrt(static_cast<float>(c.embedding.hidden));
  c.head_norms = c.outer_norms = true;
  RETURN_IF_ERROR(parse_ropes(config, &c));
  RETURN_IF_ERROR(parse_windows(config, &c));
  Architecture a = decoder_architecture("gemma3", std::move(c));
  a.language_model = LanguageModel::kNone;
  return a;
}

}  // namespace bouquet::rose
