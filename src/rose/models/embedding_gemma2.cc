// EmbeddingGemma 2 (2026), the text part: Gemma's layers in both directions, wider where they see all, with a view of
// the embedding gated into each, and a projection behind the last norm.
#include <algorithm>
#include <cmath>

#include "base/status.h"
#include "fmt/format.h"
#include "rose/layers/per_layer_input.h"
#include "rose/models/config_keys.h"
#include "rose/models/decoder.h"
#include "rose/models/layer_types.h"
#include "rose/models/sizes.h"

namespace bouquet::rose {
namespace {

enum Rope : size_t { kFull, kWindow };  // which table a layer has

struct Gemma2Config {
  DecoderConfig base;
  int32_t per_layer_width = 0;
  int32_t embedding_dim = 0;

  // Room for any layer.
  HeadShape widest() const {
    HeadShape widest = base.attention.shape;
    for (const DecoderLayer& layer : base.layers) {
      widest.kv_heads = std::max(widest.kv_heads, layer.shape.kv_heads);
      widest.head_dim = std::max(widest.head_dim, layer.shape.head_dim);
    }
    return widest;
  }
};

class EmbeddingGemma2 : public Encoder {
 public:
  static absl::StatusOr<std::unique_ptr<Encoder>> load(WeightReader& reader, Device& device, const Gemma2Config& config,
                                                       const Limits& limits);
  Tensor forward(const ops::Context& context) override;

 private:
  struct Layer {
    PreNormLayer sublayers;
    PerLayerInput input;
    float scale;  // of the stream behind it
  };
  explicit EmbeddingGemma2(Device& device) : workspace_(device) {}
  absl::Status create_activations(const Gemma2Config& config, int64_t tokens);
  void add_output(const ops::Context& context, float scale) const;

  Workspace workspace_;
  Embedding embedding_;
  Linear shares_;  // of the embedding, for all layers
  std::vector<Layer> layers_;
  Norm last_norm_;
  Linear projection_;
  Tensor stream_, normed_;  // [tokens][hidden]
  Tensor projected_;        // [tokens][embedding_dim]
  LayerActivations activations_;
  PerLayerActivations per_layer_;
};

PerLayerInputNames input_names(int32_t index) {
  const std::string block = fmt::format("layers.{}.ple_block.", index);
  return {.share_norm = "ple.per_layer_projection_norm",
          .gate = block + "per_layer_input_gate",
          .projection = block + "per_layer_projection",
          .norm = block + "post_per_layer_input_norm"};
}

// The original multiplies the shares by hidden^-1/2 before it normalises them; that is a matter of epsilon alone.
PerLayerInputConfig input_config(const Gemma2Config& c) {
  const int32_t hidden = c.base.embedding.hidden;
  NormConfig share_norm = c.base.norm;
  share_norm.epsilon *= static_cast<float>(hidden);
  return {hidden, c.per_layer_width, c.base.feed_forward.activation, c.base.norm, share_norm};
}

absl::Status EmbeddingGemma2::create_activations(const Gemma2Config& config, int64_t tokens) {
  const int32_t hidden = config.base.embedding.hidden, layers = static_cast<int32_t>(config.base.layers.size());
  AttentionConfig attention = config.base.attention;
  attention.shape = config.widest();
  ASSIGN_OR_RETURN(activations_, LayerActivations::create(workspace_, attention, config.base.feed_forward, tokens));
  ASSIGN_OR_RETURN(per_layer_, PerLayerActivations::create(workspace_, layers, config.per_layer_width, tokens));
  ASSIGN_OR_RETURN(stream_, workspace_.matrix(tokens, hidden));
  ASSIGN_OR_RETURN(normed_, workspace_.matrix(tokens, hidden));
  ASSIGN_OR_RETURN(projected_, workspace_.matrix(tokens, config.embedding_dim));
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<Encoder>> EmbeddingGemma2::load(WeightReader& reader, Device& device,
                                                               const Gemma2Config& config, const Limits& limits) {
  std::unique_ptr<EmbeddingGemma2> encoder(new EmbeddingGemma2(device));
  const DecoderConfig& base = config.base;
  const int32_t hidden = base.embedding.hidden, layers = static_cast<int32_t>(base.layers.size());
  RETURN_IF_ERROR(reader.choose_prefix({"", "language_model.", "model.language_model."}, "embed_tokens.weight"));
  RETURN_IF_ERROR(encoder->create_activations(config, limits.max_batch_tokens));
  ASSIGN_OR_RETURN(encoder->embedding_, Embedding::load(reader, encoder->workspace_, {.words = "embed_tokens.weight"},
                                                        base.embedding, limits.max_batch_tokens));
  ASSIGN_OR_RETURN(encoder->shares_,
                   Linear::load(reader, "ple.per_layer_model_projection", layers * config.per_layer_width, hidden));
  ASSIGN_OR_RETURN(const std::vector<AttentionConfig> attentions, decoder_attentions(base, device, limits));
  for (int32_t i = 0; i < layers; ++i) {
    ASSIGN_OR_RETURN(PreNormLayer sublayers,
                     PreNormLayer::load(reader, decoder_layer_names(i, base),
                                        {attentions[static_cast<size_t>(i)], base.feed_forward, base.norm}));
    ASSIGN_OR_RETURN(PerLayerInput input, PerLayerInput::load(reader, input_names(i), input_config(config)));
    ASSIGN_OR_RETURN(const std::vector<float> scale, reader.values(fmt::format("layers.{}.layer_scalar", i)));
    if (scale.size() != 1)
      return absl::InvalidArgumentError(fmt::format("tensor layers.{}.layer_scalar is no scalar", i));
    encoder->layers_.push_back({std::move(sublayers), std::move(input), scale[0]});
  }
  ASSIGN_OR_RETURN(encoder->last_norm_, Norm::load(reader, "norm", hidden, base.norm));
  ASSIGN_OR_RETURN(encoder->projection_, Linear::load(reader, "embedding_projection", config.embedding_dim, hidden));
  return encoder;
}

// stream = scale * (stream + what the last sublayer gave)
void EmbeddingGemma2::add_output(const ops::Context& context, float scale) const {
  NormArgs args{};
  args.x = activations_.output;
  args.residual = args.sum = stream_;
  args.scale = scale;
  args.rows = context.tokens();
  ops::norm(context, args);
}

Tensor EmbeddingGemma2::forward(const ops::Context& context) {
  embedding_.forward(context, stream_);
  shares_.forward(context, stream_, Activation::kNone, per_layer_.shares, context.tokens());
  for (size_t i = 0; i < layers_.size(); ++i) {
    layers_[i].sublayers.forward(context, activations_, stream_, normed_, true);
    add_output(context, 1);
    layers_[i].input.forward(context, per_layer_, static_cast<int32_t>(i), stream_, activations_.output);
    add_output(context, layers_[i].scale);
  }
  last_norm_.forward(context, stream_, normed_, context.tokens());
  projection_.forward(context, normed_, Activation::kNone, projected_, context.tokens());
  return projected_;
}

// per_layer_config has an object for each layer that differs, by index; layers that do not see all have `window` tokens
// to a side.
absl::Status parse_layers(const JsonConfig& config, int32_t window, DecoderConfig* c) {
  const auto layers = static_cast<int32_t>(c->layers.size());
  ASSIGN_OR_RETURN(const std::vector<bool> full, parse_full_layers(config, layers, {.first = 5, .every = 6}));
  ASSIGN_OR_RETURN(const auto own, config.object("per_layer_config"));
  for (int32_t i = 0; i < layers; ++i) {
    DecoderLayer& layer = c->layers[static_cast<size_t>(i)];
    layer.rope = full[static_cast<size_t>(i)] ? kFull : kWindow;
    layer.left = layer.right = layer.rope == kFull ? kUnbounded : window;
    ASSIGN_OR_RETURN(const auto changes, own ? own->object(fmt::format("{}", i)) : std::nullopt);
    if (changes) {
      ASSIGN_OR_RETURN(layer.shape.head_dim, changes->integer_or("head_dim", layer.shape.head_dim));
      ASSIGN_OR_RETURN(layer.shape.kv_heads, changes->integer_or("num_key_value_heads", layer.shape.kv_heads));
    }
    RETURN_IF_ERROR(check_claimed_sizes(config.name(), {c->embedding.vocab_size, layers, c->embedding.hidden,
                                                        c->feed_forward.intermediate, layer.shape}));
  }
  return absl::OkStatus();
}

// One table for each kind of layer, as wide as the heads that it turns.
absl::Status parse_ropes(const JsonConfig& config, DecoderConfig* c) {
  int32_t dims[] = {c->attention.shape.head_dim, c->attention.shape.head_dim};
  for (const DecoderLayer& layer : c->layers) dims[layer.rope] = layer.shape.head_dim;
  for (const DecoderLayer& layer : c->layers) {
    if (layer.shape.head_dim == dims[layer.rope]) continue;
    return absl::UnimplementedError(config.name() + ": layers of one kind with heads of several widths");
  }
  ASSIGN_OR_RETURN(const RopeConfig full,
                   parse_rope(config, dims[kFull], {.theta = 1e6, .partial = 1, .layer_type = "full_attention"}));
  ASSIGN_OR_RETURN(const RopeConfig window,
                   parse_rope(config, dims[kWindow], {.theta = 1e4, .partial = 1, .layer_type = "sliding_attention"}));
  c->ropes = {full, window};
  return absl::OkStatus();
}

absl::StatusOr<Architecture> text_model(const JsonConfig& config) {
  Gemma2Config c;
  ASSIGN_OR_RETURN(c.base, parse_decoder(config, {.head_dim = 256, .activation = "gelu_pytorch_tanh"}));
  c.base.attention.scale = 1;
  c.base.attention.value_norm = true;
  c.base.embedding.scale = std::sqrt(static_cast<float>(c.base.embedding.hidden));
  c.base.head_norms = c.base.outer_norms = true;
  ASSIGN_OR_RETURN(const int32_t window, config.integer_or("sliding_window", 512));
  ASSIGN_OR_RETURN(c.per_layer_width, config.integer_or("hidden_size_per_layer_input", 512));
  ASSIGN_OR_RETURN(c.embedding_dim, config.integer_or("embedding_dim", 768));
  constexpr int32_t kMost = 1 << 16;
  if (window < 1 || c.per_layer_width < 1 || c.per_layer_width > kMost || c.embedding_dim < 1 ||
      c.embedding_dim > kMost) {
    return absl::InvalidArgumentError(config.name() + ": impossible sizes");
  }
  RETURN_IF_ERROR(parse_layers(config, window, &c.base));
  RETURN_IF_ERROR(parse_ropes(config, &c.base));
  Architecture a;
  a.name = "embeddinggemma2";
  a.sizes = c.base.sizes();
  a.sizes.hidden = c.embedding_dim;
  a.load = [c](WeightReader& reader, Device& device, const Limits& limits) {
    return EmbeddingGemma2::load(reader, device, c, limits);
  };
  return a;
}

}  // namespace

absl::StatusOr<Architecture> embedding_gemma2_text(const JsonConfig& config) { return text_model(config); }

// The parts for pictures and sound are left out: only texts come.
absl::StatusOr<Architecture> embedding_gemma2(const JsonConfig& config) {
  ASSIGN_OR_RETURN(const auto text, config.object("text_config"));
  if (!text) return absl::InvalidArgumentError(config.name() + ": no text_config");
  ASSIGN_OR_RETURN(Architecture a, text_model(*text));
  std::vector<std::string> ignored;
  RETURN_IF_ERROR(check_config_keys(*text, {}, {}, &ignored));
  a.keys_without_effect = {"vision_config", "audio_config", "eoa_token_index"};
  a.unused = {"vision_tower.", "audio_tower.", "embed_vision.", "embed_audio."};
  return a;
}

}  // namespace bouquet::rose
