// Patterns of keys that serve training, generation or bookkeeping.
#include "rose/models/config_keys.h"

#include <algorithm>
#include <string_view>

#include "fmt/format.h"
#include "fmt/ranges.h"

namespace bouquet::rose {
namespace {

// Anywhere in a key.
constexpr std::string_view kParts[] = {"dropout",     "_pdrop",     "token_id",
                                       "initializer", "flash_attn", "attn_implementation"};

// What stands at a key's start.
constexpr std::string_view kStarts[] = {"_",      "output_",     "summary_", "lora_", "pooler_",
                                        "fused_", "sparse_pred", "unsloth_", "onnx",  "mlp_fc"};

constexpr std::string_view kWhole[] = {
    "architectures",
    "model_type",
    "transformers_version",
    "torch_dtype",
    "dtype",
    "auto_map",
    "id2label",
    "label2id",
    "num_labels",
    "problem_type",
    "finetuning_task",
    "use_cache",
    "gradient_checkpointing",
    "return_dict",
    "tie_word_embeddings",
    "tie_weights_",
    "torchscript",
    "pruned_heads",
    "is_encoder_decoder",
    "task_specific_params",
    "language",
    "name",
    "license",
    "directionality",
    "sentence_transformers",
    "matryoshka_dimensions",
    "pretraining_tp",
    "reference_compile",
    "repad_logits_with_grad",
    "decoder_bias",
    "classifier_bias",
    "attention_bias",
    "mlp_bias",
    "norm_bias",
    "qkv_proj_bias",
    "unpad_inputs",
    "use_memory_efficient_attention",
    "use_xentropy",
    "pad_vocab_size_multiple",
    "dense_seq_output",
    "max_trained_positions",
    "model_max_length",
    "emb_pooler",
    "legacy",
    "num_decoder_layers",
    "dense_act_fn",
    "is_gated_act",
    "scale_decoder_outputs",
    "load_trained_adapters",
    "task_instructions",
    "classifier_activation",
    "classifier_pooling",
    "chunk_size_feed_forward",
    "vocab_type",
    "reorder_and_upcast_attn",
    "max_length",
    "min_length",
    "do_sample",
    "num_beams",
    "temperature",
    "top_k",
    "top_p",
    "unk_index",
    "gradient_checkpointing_kwargs",
    "max_window_layers",
    "seq_length",
    "tokenizer_class",
    "xla_device",
    "cross_attention_hidden_size",
    "prefix",
    "suffix",
    "sbert_ce_default_activation_function",
    "tf_legacy_loss",
    "transformers_js_config",
    "padding_idx",
    "pad_token",
    "base_model_name_or_path",
    "max_sequence_length",
    "adapters",
    "conv_act",
};

bool is_harmless(std::string_view key) {
  const auto holds = [&](std::string_view part) { return key.find(part) != std::string_view::npos; };
  const auto starts = [&](std::string_view start) { return key.starts_with(start); };
  return std::any_of(std::begin(kParts), std::end(kParts), holds) ||
         std::any_of(std::begin(kStarts), std::end(kStarts), starts) ||
         std::find(std::begin(kWhole), std::end(kWhole), key) != std::end(kWhole);
}

}  // namespace

absl::Status check_config_keys(const JsonConfig& config, const std::vector<std::string_view>& without_effect,
                               const std::vector<std::string>& allowed, std::vector<std::string>* ignored) {
  std::vector<std::string> unknown;
  for (std::string& key : config.keys_not_asked_for()) {
    const bool has_no_effect = std::find(without_effect.begin(), without_effect.end(), key) != without_effect.end();
    if (is_harmless(key) || has_no_effect) continue;
    const bool is_allowed = std::find(allowed.begin(), allowed.end(), key) != allowed.end();
    (is_allowed ? *ignored : unknown).push_back(std::move(key));
  }
  if (unknown.empty()) return absl::OkStatus();
  return absl::UnimplementedError(
      fmt::format("{}: what {} does is not known: it may change what the model computes. If you know that it does not, "
                  "start with --ignore-config-key {}",
                  config.name(), fmt::join(unknown, ", "), fmt::join(unknown, ",")));
}

}  // namespace bouquet::rose
