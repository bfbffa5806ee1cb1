// Flags, then files, then memory.
#include "cli/model_flags.h"

#include <cstdlib>

#include "base/log.h"
#include "base/status.h"
#include "cli/gguf/tokenizer.h"
#include "cli/hub/model_source.h"
#include "cli/numbers.h"
#include "fmt/format.h"
#include "rose/models/gguf_model.h"
#include "rose/models/model_directory.h"

namespace bouquet::cli {
namespace {

// A model that wants lower-cased text needs a tokenizer that lower-cases.
absl::Status check_lowercase(const rose::ModelInfo& info, const tokenizer::Tokenizer& tokenizer) {
  if (!info.lowercase) return absl::OkStatus();
  tokenizer::Encoding upper, lower;
  tokenizer.encode("Lower CASE", {}, &upper);
  tokenizer.encode("lower case", {}, &lower);
  if (upper.ids == lower.ids) return absl::OkStatus();
  return absl::UnimplementedError(
      "sentence_bert_config.json: do_lower_case with a tokenizer that keeps case is not supported");
}

// Beside the tokenizer, which must have no id that the model has not.
absl::Status load_engine(const rose::EngineOptions& options, LoadedModel* loaded) {
  ASSIGN_OR_RETURN(loaded->engine, rose::Engine::load(loaded->directory, options));
  const int32_t ids = loaded->tokenizer->vocab_size(), words = loaded->engine->info().model.vocab_size;
  if (ids <= words) return absl::OkStatus();
  return absl::InvalidArgumentError(fmt::format("{}: the tokenizer has {} ids, the model's embedding only {}",
                                                loaded->directory.string(), ids, words));
}

}  // namespace

void SourceFlags::add_source(CLI::App& command, const std::string& names) {
  command.add_option(names, model, "A model directory, a .gguf file, or a hub id: org/name or org/name@revision")
      ->capture_default_str();
  command.add_option("--revision", revision, "Branch, tag or commit on the hub")->capture_default_str();
  command.add_flag("--offline", offline, "Never touch the network (as HF_HUB_OFFLINE=1)");
}

void ModelFlags::add_to(CLI::App& command, const std::string& names) {
  add_source(command, names);
  command.add_option("--dtype", engine.dtype, "Weight matrices: auto (as the checkpoint), f32, bf16 (half the memory)")
      ->check(CLI::IsMember({"auto", "f32", "bf16"}))
      ->capture_default_str();
  command
      .add_option("--max-length", engine.max_length,
                  "Most tokens an input may have; up to the model's positions. 0: as its files say")
      ->check(zero_or_more())
      ->capture_default_str();
  command.add_option("--threads", engine.threads, "Compute threads; 0: as many as affinity and cgroup quota allow")
      ->check(zero_or_more())
      ->capture_default_str();
  command
      .add_option("--pin-threads", engine.pin_threads,
                  "Each compute thread to a processor of its own: on, off, auto (on where no processor is left over)")
      ->check(CLI::IsMember({"auto", "on", "off"}))
      ->capture_default_str();
  command.add_option("--isa", engine.isa, "Instruction set: auto, portable, avx2, avx512")
      ->check(CLI::IsMember({"auto", "portable", "avx2", "avx512"}))
      ->capture_default_str();
  command.add_option("--adapter", engine.adapter,
                     "The task whose adapter is merged into the weights (jina-embeddings-v3: retrieval.query, ...)");
  command
      .add_option("--ignore-config-key", engine.ignored_keys,
                  "Keys of config.json that Bouquet does not know and you know to change nothing (comma-separated)")
      ->delimiter(',');
  command
      .add_option(
          "--kernels", engine.kernels,
          "fast; reference: the naive twins, for checking; null: made-up vectors after a given time, to measure "
          "all but the model")
      ->check(CLI::IsMember({"fast", "reference", "null"}))
      ->capture_default_str();
  command.add_option("--null-batch-us", engine.null_batch_us, "Microseconds a batch takes with --kernels null")
      ->check(zero_or_more())
      ->capture_default_str();
  command.add_option("--null-token-us", engine.null_token_us, "... and more for each of its tokens")
      ->check(zero_or_more())
      ->capture_default_str();
}

absl::StatusOr<std::filesystem::path> find(const SourceFlags& flags, ModelParts parts) {
  ModelSourceOptions source = model_source_from_environment();
  source.revision = flags.revision;
  source.offline |= flags.offline;
  source.parts = parts;
  return find_model(flags.model, source);
}

absl::StatusOr<std::shared_ptr<const tokenizer::Tokenizer>> load_tokenizer(const std::filesystem::path& directory) {
  if (rose::is_gguf_path(directory)) return load_gguf_tokenizer(directory);
  ASSIGN_OR_RETURN(const rose::ModelDirectory model, rose::ModelDirectory::read(directory));
  auto tokenizer = tokenizer::Tokenizer::load_directory(model.transformer);
  if (absl::IsNotFound(tokenizer.status())) tokenizer = tokenizer::Tokenizer::load_directory(directory);
  RETURN_IF_ERROR(tokenizer.status());
  return std::shared_ptr<const tokenizer::Tokenizer>(*std::move(tokenizer));
}

absl::StatusOr<LoadedModel> load(const ModelFlags& flags) {
  LoadedModel loaded;
  ASSIGN_OR_RETURN(loaded.directory, find(flags));
  ASSIGN_OR_RETURN(loaded.tokenizer, load_tokenizer(loaded.directory));
  RETURN_IF_ERROR(load_engine(flags.engine, &loaded));
  RETURN_IF_ERROR(check_lowercase(loaded.engine->info().model, *loaded.tokenizer));
  if (flags.engine.kernels == "null") log_warn("null kernels: every vector and score is made up");
  return loaded;
}

absl::StatusOr<LoadedModel> load_language_model(const ModelFlags& flags) {
  LoadedModel loaded;
  ASSIGN_OR_RETURN(loaded.directory, find(flags));
  ASSIGN_OR_RETURN(loaded.tokenizer, rose::is_gguf_path(loaded.directory)
                                         ? load_gguf_tokenizer(loaded.directory)
                                         : tokenizer::Tokenizer::load_directory(loaded.directory));
  RETURN_IF_ERROR(load_engine(flags.engine, &loaded));
  return loaded;
}

std::filesystem::path cache_directory() {
  for (const auto& [variable, below] :
       {std::pair{"BOUQUET_CACHE", ""}, {"XDG_CACHE_HOME", "bouquet"}, {"HOME", ".cache/bouquet"}}) {
    const char* value = std::getenv(variable);
    if (value && *value) return std::filesystem::path(value) / below;
  }
  return {};
}

}  // namespace bouquet::cli
