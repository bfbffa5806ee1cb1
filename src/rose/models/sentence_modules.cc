// The modules of a sentence-transformers directory, kind by kind.
#include "rose/models/sentence_modules.h"

#include <optional>

#include "base/file.h"
#include "base/status.h"
#include "fmt/format.h"

namespace bouquet::rose {
namespace {

namespace fs = std::filesystem;

// A module's own folder; refuses paths that leave the model directory.
absl::StatusOr<fs::path> module_folder(const fs::path& directory, const JsonConfig& module) {
  ASSIGN_OR_RETURN(const std::string path, module.string_or("path", ""));
  for (const fs::path& part : fs::path(path)) {
    if (part == ".." || part.is_absolute())
      return absl::InvalidArgumentError(fmt::format("{}: path \"{}\"", module.name(), path));
  }
  return path.empty() ? directory : directory / path;
}

// A config that reads or writes another feature than `feature` wires modules in a way that is not known.
absl::Status check_feature(const JsonConfig& config, std::string_view feature) {
  for (const char* key : {"module_input_name", "module_output_name"}) {
    ASSIGN_OR_RETURN(const std::string name, config.string_or(key, feature));
    if (name != feature)
      return absl::UnimplementedError(fmt::format("{}: {} \"{}\" is not known", config.name(), key, name));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Pooling>> read_pooling(const fs::path& folder) {
  ASSIGN_OR_RETURN(const JsonConfig config, JsonConfig::load(folder / "config.json"));
  ASSIGN_OR_RETURN(const bool include_prompt, config.boolean_or("include_prompt", true));
  if (!include_prompt) {
    return absl::UnimplementedError(
        fmt::format("{}: pooling that leaves the prompt out is not supported", config.name()));
  }
  std::vector<Pooling> modes;
  ASSIGN_OR_RETURN(const std::vector<std::string> names, config.strings("pooling_mode"));
  for (const std::string& name : names) {
    ASSIGN_OR_RETURN(const Pooling mode, parse_pooling(name));
    modes.push_back(mode);
  }
  if (modes.size() > 6)
    return absl::InvalidArgumentError(fmt::format("{}: {} pooling modes", config.name(), modes.size()));
  if (!modes.empty()) return modes;
  // The old schema: one flag a mode, concatenated in this order.
  constexpr std::pair<const char*, Pooling> kFlags[] = {
      {"pooling_mode_cls_token", Pooling::kCls},
      {"pooling_mode_max_tokens", Pooling::kMax},
      {"pooling_mode_mean_tokens", Pooling::kMean},
      {"pooling_mode_mean_sqrt_len_tokens", Pooling::kMeanSqrtLen},
      {"pooling_mode_weightedmean_tokens", Pooling::kWeightedMean},
      {"pooling_mode_lasttoken", Pooling::kLastToken},
  };
  for (const auto& [flag, mode] : kFlags) {
    ASSIGN_OR_RETURN(const bool on, config.boolean_or(flag, false));
    if (on) modes.push_back(mode);
  }
  if (modes.empty()) modes.push_back(Pooling::kMean);
  return modes;
}

absl::StatusOr<DenseModule> read_dense(const fs::path& folder, std::string_view feature) {
  ASSIGN_OR_RETURN(const JsonConfig config, JsonConfig::load(folder / "config.json"));
  RETURN_IF_ERROR(check_feature(config, feature));
  ASSIGN_OR_RETURN(const bool residual, config.boolean_or("use_residual", false));
  if (residual) return absl::UnimplementedError(fmt::format("{}: use_residual is not supported", config.name()));
  DenseModule dense{.weights = folder};
  ASSIGN_OR_RETURN(dense.in_features, config.integer("in_features"));
  ASSIGN_OR_RETURN(dense.out_features, config.integer("out_features"));
  if (dense.in_features < 1 || dense.out_features < 1) {
    return absl::InvalidArgumentError(fmt::format("{}: in_features and out_features must be positive", config.name()));
  }
  ASSIGN_OR_RETURN(const std::string activation,
                   config.string_or("activation_function", "torch.nn.modules.activation.Tanh"));
  ASSIGN_OR_RETURN(dense.activation, parse_activation(activation));
  return dense;
}

// sentence_bert_config.json and its older names.
absl::StatusOr<std::optional<JsonConfig>> transformer_module_config(const fs::path& folder) {
  for (const char* family : {"bert", "roberta", "distilbert", "camembert", "albert", "xlm-roberta", "xlnet"}) {
    const fs::path file = folder / fmt::format("sentence_{}_config.json", family);
    if (!file_exists(file)) continue;
    ASSIGN_OR_RETURN(JsonConfig config, JsonConfig::load(file));
    return config;
  }
  return std::nullopt;
}

absl::StatusOr<LogitScore> read_logit_score(const fs::path& folder) {
  ASSIGN_OR_RETURN(const JsonConfig config, JsonConfig::load(folder / "config.json"));
  LogitScore score;
  ASSIGN_OR_RETURN(score.true_id, config.integer("true_token_id"));
  ASSIGN_OR_RETURN(score.false_id, config.integer_or("false_token_id", -1));
  return score;
}

absl::StatusOr<Splade> read_splade(const fs::path& folder) {
  ASSIGN_OR_RETURN(const JsonConfig config, JsonConfig::load(folder / "config.json"));
  ASSIGN_OR_RETURN(const std::string pooling, config.string_or("pooling_strategy", "max"));
  ASSIGN_OR_RETURN(const std::string activation, config.string_or("activation_function", "relu"));
  const bool known = (pooling == "max" || pooling == "sum") && (activation == "relu" || activation == "log1p_relu");
  if (!known) {
    return absl::UnimplementedError(
        fmt::format("{}: pooling_strategy \"{}\" with activation_function \"{}\"", config.name(), pooling, activation));
  }
  return Splade{.sum = pooling == "sum", .logarithms = activation == "relu" ? 1 : 2};
}

absl::StatusOr<Task> parse_task(const JsonConfig& config, const std::string& name) {
  if (name == "feature-extraction") return Task::kEmbedding;
  if (name == "sequence-classification") return Task::kClassification;
  if (name == "text-generation") return Task::kLogitScore;
  if (name == "fill-mask") return Task::kSplade;
  return absl::UnimplementedError(fmt::format("{}: transformer_task \"{}\" is not supported", config.name(), name));
}

// One entry of modules.json: its kind and where its files are.
struct Module {
  std::string type;
  std::string kind;  // the last part of the type
  fs::path directory;
  fs::path folder;
  bool is_known = false;  // from a library whose modules are known by their kind
};

absl::Status read_transformer_module(const Module& m, ModelDirectory* out) { return read_transformer(m.folder, out); }

absl::Status read_masked_lm_module(const Module& m, ModelDirectory* out) {
  RETURN_IF_ERROR(read_transformer(m.folder, out));
  out->task = Task::kSplade;
  return absl::OkStatus();
}

absl::Status read_static_module(const Module& m, ModelDirectory* out) {
  out->transformer = m.folder;
  out->static_embedding = true;
  out->pooling = {Pooling::kMean};
  return absl::OkStatus();
}

absl::Status read_pooling_module(const Module& m, ModelDirectory* out) {
  ASSIGN_OR_RETURN(out->pooling, read_pooling(m.folder));
  return absl::OkStatus();
}

// Before any pooling it belongs to vectors of tokens.
absl::Status read_dense_module(const Module& m, ModelDirectory* out) {
  const bool of_tokens = out->pooling.empty();
  if (of_tokens) out->task = Task::kMultiVector;
  ASSIGN_OR_RETURN(DenseModule dense, read_dense(m.folder, of_tokens ? "token_embeddings" : "sentence_embedding"));
  out->dense.push_back(std::move(dense));
  return absl::OkStatus();
}

absl::Status read_normalize_module(const Module& m, ModelDirectory* out) {
  out->normalize = true;
  if (!file_exists(m.folder / "config.json") || m.folder == m.directory) return absl::OkStatus();
  ASSIGN_OR_RETURN(const JsonConfig config, JsonConfig::load(m.folder / "config.json"));
  return check_feature(config, out->task == Task::kMultiVector ? "token_embeddings" : "sentence_embedding");
}

absl::Status read_logit_score_module(const Module& m, ModelDirectory* out) {
  ASSIGN_OR_RETURN(out->logit_score, read_logit_score(m.folder));
  return absl::OkStatus();
}

absl::Status read_splade_module(const Module& m, ModelDirectory* out) {
  ASSIGN_OR_RETURN(out->splade, read_splade(m.folder));
  return absl::OkStatus();
}

// Which tokens keep their vector is told by the gateway, which reads this module's list itself.
absl::Status read_mask_module(const Module&, ModelDirectory* out) {
  out->task = Task::kMultiVector;
  return absl::OkStatus();
}

absl::Status read_quantizer_module(const Module&, ModelDirectory* out) {
  out->tanh_int8 = true;
  return absl::OkStatus();
}

absl::Status read_nothing(const Module&, ModelDirectory*) { return absl::OkStatus(); }

bool is_first(const ModelDirectory& so_far) { return so_far.transformer.empty(); }
bool follows_transformer(const ModelDirectory& so_far) { return !so_far.transformer.empty() && so_far.pooling.empty(); }
bool follows_pooling(const ModelDirectory& so_far) { return !so_far.pooling.empty(); }
bool takes_dense(const ModelDirectory& so_far) { return !so_far.transformer.empty() && !so_far.normalize; }
bool takes_normalize(const ModelDirectory& so_far) {
  return follows_pooling(so_far) || so_far.task == Task::kMultiVector;
}
bool scores_logits(const ModelDirectory& so_far) { return so_far.task == Task::kLogitScore; }
bool is_splade(const ModelDirectory& so_far) { return so_far.task == Task::kSplade; }
bool anywhere(const ModelDirectory&) { return true; }

struct Kind {
  std::string_view name;
  bool (*may_come)(const ModelDirectory& so_far);
  absl::Status (*read)(const Module&, ModelDirectory*);
};

constexpr Kind kKinds[] = {
    {"Transformer", is_first, read_transformer_module},
    {"MLMTransformer", is_first, read_masked_lm_module},
    {"StaticEmbedding", is_first, read_static_module},
    {"Pooling", follows_transformer, read_pooling_module},
    {"Dense", takes_dense, read_dense_module},
    {"Normalize", takes_normalize, read_normalize_module},
    {"LogitScore", scores_logits, read_logit_score_module},
    {"SpladePooling", is_splade, read_splade_module},
    {"MultiVectorMask", follows_transformer, read_mask_module},
    {"FlexibleQuantizer", follows_pooling, read_quantizer_module},  // pplx-embed's st_quantize
    {"Dropout", anywhere, read_nothing},                            // does nothing outside training
};

absl::StatusOr<Module> parse_module(const fs::path& directory, const JsonConfig& config) {
  Module m;
  ASSIGN_OR_RETURN(m.type, config.string_or("type", ""));
  ASSIGN_OR_RETURN(m.folder, module_folder(directory, config));
  m.directory = directory;
  m.kind = m.type.substr(m.type.rfind('.') + 1);
  m.is_known = m.type.starts_with("sentence_transformers.") || m.type == "pylate.models.Dense.Dense" ||
               m.type == "st_quantize.FlexibleQuantizer" ||
               m.type == "custom_st.Transformer";  // jina-embeddings-v3: the same, but for the choice of a task
  return m;
}

}  // namespace

absl::Status read_transformer(const fs::path& folder, ModelDirectory* out) {
  out->transformer = folder;
  ASSIGN_OR_RETURN(const std::optional<JsonConfig> config, transformer_module_config(folder));
  if (config) {
    ASSIGN_OR_RETURN(out->max_tokens, config->integer_or("max_seq_length", 0));
    ASSIGN_OR_RETURN(out->lowercase, config->boolean_or("do_lower_case", false));
    ASSIGN_OR_RETURN(const std::string task, config->string_or("transformer_task", "feature-extraction"));
    ASSIGN_OR_RETURN(out->task, parse_task(*config, task));
  }
  if (out->max_tokens > 0 || !file_exists(folder / "tokenizer_config.json")) return absl::OkStatus();
  ASSIGN_OR_RETURN(const JsonConfig tokenizer, JsonConfig::load(folder / "tokenizer_config.json"));
  ASSIGN_OR_RETURN(const double limit, tokenizer.number_or("model_max_length", 0));  // 1e30 stands for none
  if (limit >= 1 && limit <= 1e6) out->max_tokens = static_cast<int32_t>(limit);
  return absl::OkStatus();
}

absl::Status read_module(const fs::path& directory, const JsonConfig& config, ModelDirectory* out) {
  ASSIGN_OR_RETURN(const Module module, parse_module(directory, config));
  for (const Kind& kind : kKinds) {
    if (module.is_known && kind.name == module.kind && kind.may_come(*out)) return kind.read(module, out);
  }
  return absl::UnimplementedError(
      fmt::format("{}: module {} is not supported (or not at this place)", config.name(), module.type));
}

}  // namespace bouquet::rose
