// The local Hugging Face cache, in the layout that huggingface_hub keeps: models--ORG--NAME/{refs,blobs,snapshots}.
// What either program downloads the other finds.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "cli/hub/repository.h"

namespace bouquet::cli {

class HubCache {
 public:
  HubCache(const std::filesystem::path& root, const std::string& id);

  // The snapshot of a revision (branch, tag or commit), when all that is wanted lies there.
  std::optional<std::filesystem::path> find(const std::string& revision, ModelParts parts = ModelParts::kAll) const;

  std::filesystem::path blob(const RepositoryFile& file) const;
  std::filesystem::path snapshot(const std::string& commit) const;
  // Makes snapshots/COMMIT/NAME a link to the file's blob.
  absl::Status link(const std::string& commit, const RepositoryFile& file) const;
  absl::Status set_ref(const std::string& revision, const std::string& commit) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace bouquet::cli
