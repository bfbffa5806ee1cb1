// The flags about MODEL and the engine that `serve`, `embed` and `bench` share, and what they make of them.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "CLI/CLI.hpp"
#include "absl/status/statusor.h"
#include "cli/hub/repository.h"
#include "rose/engine.h"
#include "tokenizer/tokenizer.h"

namespace bouquet::cli {

inline constexpr char kDefaultModel[] = "sentence-transformers/all-MiniLM-L6-v2";

// Which model.
struct SourceFlags {
  std::string model = kDefaultModel;
  std::string revision = "main";
  bool offline = false;

  // `names` of the model option: "model,-m,--model" takes it as the first argument too.
  void add_source(CLI::App& command, const std::string& names = "model,-m,--model");
};

// ... and how it is computed.
struct ModelFlags : SourceFlags {
  rose::EngineOptions engine;

  void add_to(CLI::App& command, const std::string& names = "model,-m,--model");
};

// A model on disk and in memory.
struct LoadedModel {
  std::filesystem::path directory;
  std::shared_ptr<const tokenizer::Tokenizer> tokenizer;
  std::unique_ptr<rose::Engine> engine;
};

// Finds (or downloads) the model, then loads tokenizer and engine.
absl::StatusOr<LoadedModel> load(const ModelFlags& flags);
// The same of a plain directory that is to write text: flags.engine.cache_tokens says so to the engine.
absl::StatusOr<LoadedModel> load_language_model(const ModelFlags& flags);
absl::StatusOr<std::filesystem::path> find(const SourceFlags& flags, ModelParts parts = ModelParts::kAll);
// The tokenizer of a model directory, which may lie in its Transformer module's folder.
absl::StatusOr<std::shared_ptr<const tokenizer::Tokenizer>> load_tokenizer(const std::filesystem::path& directory);

// Where Bouquet keeps its own measurements: BOUQUET_CACHE, XDG_CACHE_HOME/bouquet, HOME/.cache/bouquet; empty: nowhere.
std::filesystem::path cache_directory();

}  // namespace bouquet::cli
