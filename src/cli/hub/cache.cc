// Paths, links and refs.
#include "cli/hub/cache.h"

#include <fstream>
#include <system_error>

#include "base/file.h"
#include "base/status.h"
#include "fmt/format.h"
#include "rose/models/model_directory.h"
#include "rose/weights/checkpoint.h"

namespace bouquet::cli {
namespace {

namespace fs = std::filesystem;

std::string folder_name(const std::string& id) {
  std::string name = "models--" + id;
  if (const size_t slash = name.find('/'); slash != std::string::npos) name.replace(slash, 1, "--");
  return name;
}

absl::Status file_error(const char* action, const fs::path& path, const std::error_code& error) {
  return absl::FailedPreconditionError(fmt::format("cannot {} {}: {}", action, path.string(), error.message()));
}

// A download that was interrupted leaves a snapshot without some of its files.
bool is_complete(const fs::path& snapshot) {
  const auto directory = rose::ModelDirectory::read(snapshot);
  if (!directory.ok())
    return absl::IsUnimplemented(directory.status());  // complete, but of a kind that is refused later
  if (!directory->static_embedding && !file_exists(directory->transformer / "config.json")) return false;
  for (const rose::DenseModule& dense : directory->dense) {
    if (!rose::Checkpoint::open(dense.weights).ok()) return false;
  }
  return rose::Checkpoint::open(directory->transformer).ok();
}

bool has_text(const fs::path& snapshot) {
  std::error_code ignored;
  const fs::directory_iterator files(snapshot, ignored);
  return file_exists(snapshot / "config.json") && std::any_of(begin(files), end(files), [](const auto& file) {
           return is_tokenizer_file(file.path().filename().string());
         });
}

}  // namespace

HubCache::HubCache(const fs::path& root, const std::string& id) : folder_(root / folder_name(id)) {}

std::optional<fs::path> HubCache::find(const std::string& revision, ModelParts parts) const {
  std::string commit = revision;
  if (const auto ref = read_file(folder_ / "refs" / revision); ref.ok()) {
    commit = ref->substr(0, ref->find_last_not_of(" \r\n") + 1);
  }
  const fs::path found = snapshot(commit);
  std::error_code ignored;
  if (commit.empty() || !fs::is_directory(found, ignored)) return std::nullopt;
  return (parts == ModelParts::kAll ? is_complete(found) : has_text(found)) ? std::optional(found) : std::nullopt;
}

fs::path HubCache::blob(const RepositoryFile& file) const {
  return folder_ / "blobs" / (file.sha256.empty() ? file.blob : file.sha256);
}

fs::path HubCache::snapshot(const std::string& commit) const { return folder_ / "snapshots" / commit; }

absl::Status HubCache::link(const std::string& commit, const RepositoryFile& file) const {
  const fs::path at = snapshot(commit) / file.name;
  std::error_code error;
  fs::create_directories(at.parent_path(), error);
  if (error) return file_error("create", at.parent_path(), error);
  if (fs::is_symlink(fs::symlink_status(at, error))) fs::remove(at, error);
  fs::create_symlink(fs::relative(blob(file), at.parent_path()), at, error);
  return error ? file_error("link", at, error) : absl::OkStatus();
}

absl::Status HubCache::set_ref(const std::string& revision, const std::string& commit) const {
  if (revision == commit) return absl::OkStatus();
  const fs::path ref = folder_ / "refs" / revision;
  std::error_code error;
  fs::create_directories(ref.parent_path(), error);
  std::ofstream(ref) << commit;
  return error ? file_error("write", ref, error) : absl::OkStatus();
}

}  // namespace bouquet::cli
