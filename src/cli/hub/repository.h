// What a repository on the hub holds, and which of it a model needs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace bouquet::cli {

struct RepositoryFile {
  std::string name;    // path within the repository
  int64_t size = -1;   // bytes; -1: not told
  std::string sha256;  // of large files; else empty
  std::string blob;    // git's blob id; may be empty
};

struct Repository {
  std::string commit;
  std::vector<RepositoryFile> files;
};

// The JSON of GET /api/models/ID/revision/REVISION?blobs=true. Names that would leave the folder are refused.
absl::StatusOr<Repository> parse_repository(std::string_view json);

bool is_tokenizer_file(std::string_view name);

// Which of a model's files are wanted: all, or configs and tokenizer alone.
enum class ModelParts { kAll, kText };

// Configs, tokenizer and, of all parts, the weights of the model and its modules: safetensors, or where a folder has
// none pytorch_model.bin, and heads that come as a .pt file beside them. No other framework's files, no code.
std::vector<RepositoryFile> needed_files(const std::vector<RepositoryFile>& files, ModelParts parts = ModelParts::kAll);

// "org/name", "org/name@revision" or a bare "name".
struct HubId {
  std::string id;
  std::string revision;  // empty: not given
};
absl::StatusOr<HubId> parse_hub_id(std::string_view text);

}  // namespace bouquet::cli
