// Keys of GGUF metadata (https://github.com/ggml-org/ggml/blob/master/docs/gguf.md) to those of config.json.
#include "rose/models/gguf_model.h"

#include <optional>
#include <string>
#include <string_view>

#include "base/json_writer.h"
#include "base/status.h"
#include "fmt/format.h"
#include "rose/weights/gguf.h"

namespace bouquet::rose {
namespace {

namespace fs = std::filesystem;

struct Key {
  std::string_view here;   // behind the architecture's name
  std::string_view there;  // in config.json
};

constexpr Key kIntegers[] = {
    {"embedding_length", "hidden_size"},
    {"block_count", "num_hidden_layers"},
    {"feed_forward_length", "intermediate_size"},
    {"attention.head_count", "num_attention_heads"},
    {"attention.head_count_kv", "num_key_value_heads"},
    {"attention.key_length", "head_dim"},
    {"context_length", "max_position_embeddings"},
};

constexpr Key kNumbers[] = {
    {"attention.layer_norm_rms_epsilon", "rms_norm_eps"},
    {"attention.layer_norm_epsilon", "layer_norm_eps"},
    {"rope.freq_base", "rope_theta"},
};

// Whatever they say would be computed, and is not.
constexpr std::string_view kRefused[] = {
    "expert_count",
    "attention.sliding_window",
    "attn_logit_softcapping",
    "final_logit_softcapping",
    "attention.scale",
    "embedding_scale",
    "residual_scale",
    "logit_scale",
    "attention.max_alibi_bias",
    "attention.clamp_kqv",
};

// An open file, and what its own keys begin with.
struct Gguf {
  MappedGguf open;
  std::string architecture;

  const GgufMetadata& metadata() const { return open.file.metadata; }
  bool has_tensor(std::string_view name) const { return open.file.tensors.contains(name); }
  std::string key(std::string_view name) const { return fmt::format("{}.{}", architecture, name); }
};

absl::StatusOr<Gguf> open(const fs::path& path) {
  ASSIGN_OR_RETURN(MappedGguf gguf, open_gguf(path));
  std::string architecture(gguf.file.metadata.text("general.architecture").value_or(""));
  return Gguf{std::move(gguf), std::move(architecture)};
}

absl::Status check_variant(const Gguf& gguf, const fs::path& path) {
  for (const std::string_view name : kRefused) {
    const double value = gguf.metadata()
                             .number(gguf.key(name))
                             .value_or(static_cast<double>(gguf.metadata().integer(gguf.key(name)).value_or(0)));
    if (value != 0)
      return absl::UnimplementedError(fmt::format("{}: {} is not supported", path.string(), gguf.key(name)));
  }
  const std::string_view scaling = gguf.metadata().text(gguf.key("rope.scaling.type")).value_or("none");
  if (scaling != "none" || gguf.has_tensor("rope_freqs.weight")) {
    return absl::UnimplementedError(fmt::format("{}: scaled rotary positions are not supported", path.string()));
  }
  return absl::OkStatus();
}

int64_t rows_of(const Gguf& gguf, std::string_view tensor) {
  const auto found = gguf.open.file.tensors.find(tensor);
  return found == gguf.open.file.tensors.end() || found->second.shape.empty() ? 0 : found->second.shape[0];
}

std::string config_of(const Gguf& gguf) {
  const GgufMetadata& metadata = gguf.metadata();
  JsonWriter json;
  json.begin_object().key("model_type").string(gguf.architecture);
  for (const Key& key : kIntegers) {
    if (const auto value = metadata.integer(gguf.key(key.here))) json.key(key.there).number(*value);
  }
  for (const Key& key : kNumbers) {
    if (const auto value = metadata.number(gguf.key(key.here))) json.key(key.there).number(*value);
  }
  json.key("vocab_size").number(rows_of(gguf, "token_embd.weight"));
  if (const int64_t types = rows_of(gguf, "token_types.weight")) json.key("type_vocab_size").number(types);
  json.key("tie_word_embeddings").boolean(!gguf.has_tensor("output.weight"));
  const bool causal = metadata.flag(gguf.key("attention.causal")).value_or(gguf.architecture != "bert");
  if (gguf.architecture != "bert") json.key("is_causal").boolean(causal);
  json.end_object();
  return std::move(json).str();
}

std::optional<Pooling> pooling_of(int64_t type) {
  switch (type) {
    case 1:
      return Pooling::kMean;
    case 2:
      return Pooling::kCls;
    case 3:
      return Pooling::kLastToken;
    default:
      return std::nullopt;
  }
}

}  // namespace

bool is_gguf_path(const fs::path& path) { return path.extension() == ".gguf"; }

absl::StatusOr<JsonConfig> read_gguf_config(const fs::path& path) {
  ASSIGN_OR_RETURN(const Gguf gguf, open(path));
  RETURN_IF_ERROR(check_variant(gguf, path));
  return JsonConfig::parse(config_of(gguf), path.string());
}

absl::StatusOr<ModelDirectory> read_gguf_directory(const fs::path& path) {
  ASSIGN_OR_RETURN(const Gguf gguf, open(path));
  const std::string key = gguf.key("pooling_type");
  const std::optional<Pooling> pooling = pooling_of(gguf.metadata().integer(key).value_or(0));
  if (!pooling) {
    return absl::InvalidArgumentError(
        fmt::format("{}: {} is neither 1 (mean), 2 (cls) nor 3 (last token): no embedder", path.string(), key));
  }
  ModelDirectory directory;
  directory.transformer = path;
  directory.pooling = {*pooling};
  directory.normalize = true;
  return directory;
}

}  // namespace bouquet::rose
