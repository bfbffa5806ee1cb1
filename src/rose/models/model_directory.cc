// modules.json, each module's config, and where the length limit stands.
#include "rose/models/model_directory.h"

#include <algorithm>
#include <optional>

#include "base/status.h"
#include "fmt/format.h"
#include "rose/models/json_config.h"

namespace bouquet::rose {
namespace {

namespace fs = std::filesystem;

bool file_exists(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

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

absl::StatusOr<DenseModule> read_dense(const fs::path& folder) {
  ASSIGN_OR_RETURN(const JsonConfig config, JsonConfig::load(folder / "config.json"));
  RETURN_IF_ERROR(check_feature(config, "sentence_embedding"));
  ASSIGN_OR_RETURN(const bool residual, config.boolean_or("use_residual", false));
  if (residual) return absl::UnimplementedError(fmt::format("{}: use_residual is not supported", config.name()));
  DenseModule dense{.directory = folder};
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

absl::Status read_transformer(const fs::path& folder, ModelDirectory* out) {
  out->transformer = folder;
  ASSIGN_OR_RETURN(const std::optional<JsonConfig> config, transformer_module_config(folder));
  if (config) {
    ASSIGN_OR_RETURN(out->max_tokens, config->integer_or("max_seq_length", 0));
    ASSIGN_OR_RETURN(out->lowercase, config->boolean_or("do_lower_case", false));
    ASSIGN_OR_RETURN(const std::string task, config->string_or("transformer_task", "feature-extraction"));
    const bool generates = task == "text-generation";  // with a LogitScore module behind it
    if (task != "feature-extraction" && task != "sequence-classification" && !generates) {
      return absl::UnimplementedError(
          fmt::format("{}: transformer_task \"{}\" is not supported", config->name(), task));
    }
    if (task == "sequence-classification") out->task = Task::kClassification;
    if (generates) out->task = Task::kLogitScore;
  }
  if (out->max_tokens > 0 || !file_exists(folder / "tokenizer_config.json")) return absl::OkStatus();
  ASSIGN_OR_RETURN(const JsonConfig tokenizer, JsonConfig::load(folder / "tokenizer_config.json"));
  ASSIGN_OR_RETURN(const double limit, tokenizer.number_or("model_max_length", 0));  // 1e30 stands for none
  if (limit >= 1 && limit <= 1e6) out->max_tokens = static_cast<int32_t>(limit);
  return absl::OkStatus();
}

absl::StatusOr<LogitScore> read_logit_score(const fs::path& folder) {
  ASSIGN_OR_RETURN(const JsonConfig config, JsonConfig::load(folder / "config.json"));
  LogitScore score;
  ASSIGN_OR_RETURN(score.true_id, config.integer("true_token_id"));
  ASSIGN_OR_RETURN(score.false_id, config.integer_or("false_token_id", -1));
  return score;
}

// Modules must come in the order that heads compute: Transformer, Pooling, Dense ..., Normalize; or Transformer,
// LogitScore.
absl::Status read_module(const fs::path& directory, const JsonConfig& module, ModelDirectory* out) {
  ASSIGN_OR_RETURN(const std::string type, module.string_or("type", ""));
  ASSIGN_OR_RETURN(const fs::path folder, module_folder(directory, module));
  const std::string kind = type.substr(type.rfind('.') + 1);
  const bool from_library = type.starts_with("sentence_transformers.");
  const bool jina = type == "custom_st.Transformer";  // jina-embeddings-v3: the same, but for the choice of a task
  if ((from_library || jina) && kind == "Transformer" && out->transformer.empty()) return read_transformer(folder, out);
  if (from_library && kind == "Pooling" && !out->transformer.empty() && out->pooling.empty()) {
    ASSIGN_OR_RETURN(out->pooling, read_pooling(folder));
    return absl::OkStatus();
  }
  if (from_library && kind == "Dense" && !out->pooling.empty() && !out->normalize) {
    ASSIGN_OR_RETURN(DenseModule dense, read_dense(folder));
    out->dense.push_back(std::move(dense));
    return absl::OkStatus();
  }
  if (from_library && kind == "Normalize" && !out->pooling.empty()) {
    out->normalize = true;
    if (!file_exists(folder / "config.json") || folder == directory) return absl::OkStatus();
    ASSIGN_OR_RETURN(const JsonConfig config, JsonConfig::load(folder / "config.json"));
    return check_feature(config, "sentence_embedding");
  }
  if (from_library && kind == "LogitScore" && out->task == Task::kLogitScore) {
    ASSIGN_OR_RETURN(out->logit_score, read_logit_score(folder));
    return absl::OkStatus();
  }
  if (type == "st_quantize.FlexibleQuantizer" && !out->pooling.empty()) {
    out->tanh_int8 = true;
    return absl::OkStatus();
  }
  if (from_library && kind == "Dropout") return absl::OkStatus();  // does nothing outside training
  return absl::UnimplementedError(
      fmt::format("{}: module {} is not supported (or not at this place)", module.name(), type));
}

// The words that rerankers made of language models are trained to say, where no module names them.
absl::StatusOr<LogitScore> usual_words(const fs::path& transformer, const JsonConfig& config) {
  ASSIGN_OR_RETURN(const std::string type, config.string_or("model_type", ""));
  const bool digits = type == "qwen2";  // mxbai-rerank-v2; Qwen3-Reranker says yes or no
  ASSIGN_OR_RETURN(const JsonConfig tokenizer, JsonConfig::load(transformer / "tokenizer.json"));
  ASSIGN_OR_RETURN(const auto model, tokenizer.object("model"));
  if (!model) return absl::InvalidArgumentError(fmt::format("{}: no model", tokenizer.name()));
  ASSIGN_OR_RETURN(const auto vocabulary, model->object("vocab"));
  if (!vocabulary) return absl::InvalidArgumentError(fmt::format("{}: no vocabulary", tokenizer.name()));
  LogitScore score;
  ASSIGN_OR_RETURN(score.true_id, vocabulary->integer(digits ? "1" : "yes"));
  ASSIGN_OR_RETURN(score.false_id, vocabulary->integer(digits ? "0" : "no"));
  return score;
}

// `architectures` decides where modules.json does not: a classifier by its head; a language model is a reranker.
absl::Status read_task(bool has_modules, ModelDirectory* out) {
  ASSIGN_OR_RETURN(const JsonConfig config, JsonConfig::load(out->transformer / "config.json"));
  ASSIGN_OR_RETURN(const std::vector<std::string> architectures, config.strings("architectures"));
  for (const std::string& name : architectures) {
    if (name.ends_with("ForSequenceClassification")) out->task = Task::kClassification;
    if (name.ends_with("ForCausalLM") && !has_modules) {
      out->task = Task::kLogitScore;
      ASSIGN_OR_RETURN(out->logit_score, usual_words(out->transformer, config));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<ModelDirectory> ModelDirectory::read(const fs::path& directory) {
  ModelDirectory out;
  if (file_exists(directory / "modules.json")) {
    ASSIGN_OR_RETURN(const JsonConfig list, JsonConfig::load(directory / "modules.json"));
    ASSIGN_OR_RETURN(const std::vector<JsonConfig> modules, list.elements());
    for (const JsonConfig& module : modules) RETURN_IF_ERROR(read_module(directory, module, &out));
    if (out.transformer.empty())
      return absl::InvalidArgumentError(fmt::format("{}: no Transformer module", list.name()));
  } else {
    RETURN_IF_ERROR(read_transformer(directory, &out));
  }
  if (out.pooling.empty() && out.logit_score.true_id < 0) {
    RETURN_IF_ERROR(read_task(file_exists(directory / "modules.json"), &out));
    if (out.task == Task::kEmbedding) out.pooling = {Pooling::kMean};  // what sentence-transformers does then
  }
  return out;
}

}  // namespace bouquet::rose
