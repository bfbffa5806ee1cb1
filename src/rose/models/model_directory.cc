// modules.json, or what a directory without one is.
#include "rose/models/model_directory.h"

#include <algorithm>
#include <optional>

#include "base/file.h"
#include "base/status.h"
#include "fmt/format.h"
#include "rose/models/gguf_model.h"
#include "rose/models/json_config.h"
#include "rose/models/sentence_modules.h"

namespace bouquet::rose {
namespace {

namespace fs = std::filesystem;

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

// BGE-M3 keeps the heads of its other outputs beside the encoder.
void find_extra_heads(ModelDirectory* out) {
  const auto present = [&](const char* name) {
    const fs::path file = out->transformer / name;
    return file_exists(file) ? file : fs::path();
  };
  out->sparse_linear = present("sparse_linear.pt");
  out->colbert_linear = present("colbert_linear.pt");
}

// `architectures` decides where modules.json does not: a classifier by its head; a language model is a reranker.
absl::Status read_task(bool has_modules, ModelDirectory* out) {
  ASSIGN_OR_RETURN(const JsonConfig config, JsonConfig::load(out->transformer / "config.json"));
  ASSIGN_OR_RETURN(const std::vector<std::string> architectures, config.strings("architectures"));
  ASSIGN_OR_RETURN(const std::string type, config.string_or("model_type", ""));
  out->static_embedding = type == "model2vec";
  for (const std::string& name : architectures) {
    if (name.ends_with("ForSequenceClassification")) out->task = Task::kClassification;
    if (name == "HF_ColBERT") out->task = Task::kMultiVector;
    if (name.ends_with("ForCausalLM") && !has_modules) {
      out->task = Task::kLogitScore;
      ASSIGN_OR_RETURN(out->logit_score, usual_words(out->transformer, config));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<ModelDirectory> ModelDirectory::read(const fs::path& directory) {
  if (is_gguf_path(directory)) return read_gguf_directory(directory);
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
  const bool decided = !out.pooling.empty() || out.logit_score.true_id >= 0 || out.task == Task::kSplade ||
                       out.task == Task::kMultiVector;
  if (!decided) {
    RETURN_IF_ERROR(read_task(file_exists(directory / "modules.json"), &out));
    if (out.task == Task::kEmbedding) out.pooling = {Pooling::kMean};  // what sentence-transformers does then
  }
  find_extra_heads(&out);
  return out;
}

}  // namespace bouquet::rose
