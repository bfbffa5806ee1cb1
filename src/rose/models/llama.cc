// Llama (Touvron et al. 2023) and those that add a window, biases or head norms to it: Mistral (Jiang et al. 2023),
// Qwen2 and Qwen3 (Yang et al. 2024, 2025).
#include "base/status.h"
#include "rose/models/decoder.h"

namespace bouquet::rose {
namespace {

// `window`: tokens that a query sees to a side, in causal layers itself counted.
void set_window(int32_t window, DecoderLayer* layer) {
  layer->left = layer->right == 0 ? window - 1 : window;
  layer->right = std::min(layer->right, window);
}

// Layers from max_window_layers on have the window, or those that layer_types names.
absl::Status parse_qwen_windows(const JsonConfig& config, DecoderConfig* out) {
  ASSIGN_OR_RETURN(const bool on, config.boolean_or("use_sliding_window", false));
  ASSIGN_OR_RETURN(const int32_t window, config.integer_or("sliding_window", 4096));
  ASSIGN_OR_RETURN(const int32_t first, config.integer_or("max_window_layers", 28));
  ASSIGN_OR_RETURN(const std::vector<std::string> types, config.strings("layer_types"));
  if (!on || !config.has("sliding_window")) return absl::OkStatus();
  if (window < 1 || (!types.empty() && types.size() != out->layers.size())) {
    return absl::InvalidArgumentError(config.name() + ": sliding_window or layer_types does not fit the layers");
  }
  for (size_t i = 0; i < out->layers.size(); ++i) {
    const bool narrow = types.empty() ? static_cast<int32_t>(i) >= first : types[i] == "sliding_attention";
    if (narrow) set_window(window, &out->layers[i]);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Architecture> llama(const JsonConfig& config) {
  ASSIGN_OR_RETURN(DecoderConfig c, parse_decoder(config));
  return decoder_architecture("llama", std::move(c));
}

absl::StatusOr<Architecture> mistral(const JsonConfig& config) {
  ASSIGN_OR_RETURN(DecoderConfig c, parse_decoder(config));
  // null is none; no key at all is what the original takes then
  ASSIGN_OR_RETURN(const int32_t window,
                   config.integer_or("sliding_window", config.is_null("sliding_window") ? 0 : 4096));
  for (DecoderLayer& layer : c.layers) {
    if (window > 0) set_window(window, &layer);
  }
  return decoder_architecture("mistral", std::move(c));
}

absl::StatusOr<Architecture> qwen2(const JsonConfig& config) {
  ASSIGN_OR_RETURN(DecoderConfig c, parse_decoder(config));
  RETURN_IF_ERROR(parse_qwen_windows(config, &c));
  return decoder_architecture("qwen2", std::move(c));
}

absl::StatusOr<Architecture> qwen3(const JsonConfig& config) {
  ASSIGN_OR_RETURN(DecoderConfig c, parse_decoder(config));
  RETURN_IF_ERROR(parse_qwen_windows(config, &c));
  c.head_norms = true;
  Architecture a = decoder_architecture("qwen3", std::move(c));
  a.remote_code = {"PPLXQwen3Model", "PPLXQwen3ContextualModel"};
  return a;
}

}  // namespace bouquet::rose
