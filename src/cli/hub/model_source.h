// MODEL as users name it -> a directory on disk: a local directory as it is; a hub id (`org/name` or
// `org/name@revision`) from the local Hugging Face cache where it holds the model, otherwise downloaded into that cache
// over HTTPS.
#pragma once

#include <filesystem>
#include <string>

#include "absl/status/statusor.h"
#include "cli/hub/repository.h"

namespace bouquet::cli {

struct ModelSourceOptions {
  std::string revision = "main";                    // unless the id carries one
  std::string endpoint = "https://huggingface.co";  // HF_ENDPOINT
  std::string token;            // HF_TOKEN, or the file HF_HOME/token; sent to the endpoint's host alone
  std::filesystem::path cache;  // HF_HUB_CACHE, HF_HOME/hub, ~/.cache/huggingface/hub
  bool offline = false;         // HF_HUB_OFFLINE: never touch the network
  ModelParts parts = ModelParts::kAll;
  bool progress = true;  // a bar on standard error while downloading
};

// From the environment variables named above. Nothing needs a home folder: `cache` is empty where there is none.
ModelSourceOptions model_source_from_environment();

// NOT_FOUND and FAILED_PRECONDITION say what was tried and what to do.
absl::StatusOr<std::filesystem::path> find_model(const std::string& model, const ModelSourceOptions& options);

}  // namespace bouquet::cli
