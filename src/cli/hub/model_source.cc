// Local directory, then cache, then hub.
#include "cli/hub/model_source.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "base/file.h"
#include "base/status.h"
#include "cli/hub/cache.h"
#include "cli/hub/download.h"
#include "cli/hub/repository.h"
#include "cli/progress.h"
#include "fmt/format.h"
#include "rose/models/gguf_model.h"

namespace bouquet::cli {
namespace {

namespace fs = std::filesystem;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

fs::path hub_home() {
  if (const std::string home = environment("HF_HOME"); !home.empty()) return home;
  if (const std::string cache = environment("XDG_CACHE_HOME"); !cache.empty()) return fs::path(cache) / "huggingface";
  if (const std::string home = environment("HOME"); !home.empty()) return fs::path(home) / ".cache" / "huggingface";
  return {};
}

bool is_true(std::string value) {
  std::transform(value.begin(), value.end(), value.begin(), [](unsigned char c) { return std::toupper(c); });
  return value == "1" || value == "TRUE" || value == "YES" || value == "ON";
}

bool is_hub_hash(const RepositoryFile& file) { return !file.sha256.empty() || !file.blob.empty(); }

// What to do when the hub can't be asked; any other answer of its stands as it is.
absl::Status explain(const absl::Status& status, const std::string& model, const ModelSourceOptions& options) {
  if (!absl::IsUnavailable(status)) return status;
  return absl::UnavailableError(
      fmt::format("{} is no directory here and not in the cache {}, and the hub can't be reached ({}). Give a model "
                  "directory, or run `bouquet pull {}` where there is a network",
                  model, options.cache.string(), std::string(status.message()), model));
}

absl::StatusOr<fs::path> download(const HubId& hub, const std::string& revision, const HubCache& cache,
                                  const ModelSourceOptions& options) {
  const DownloadOptions http{.token = options.token};
  const std::string listing_url =
      fmt::format("{}/api/models/{}/revision/{}?blobs=true", options.endpoint, hub.id, revision);
  const absl::StatusOr<std::string> fetched = fetch_text(listing_url, http);
  if (!fetched.ok()) return explain(fetched.status(), hub.id, options);
  const std::string& listing = *fetched;
  ASSIGN_OR_RETURN(Repository repository, parse_repository(listing));
  repository.files = needed_files(repository.files, options.parts);
  int64_t total = 0;
  for (const RepositoryFile& file : repository.files) {
    if (!is_hub_hash(file))
      return absl::UnavailableError(fmt::format("{}: the hub states no hash of {}", hub.id, file.name));
    total += std::max<int64_t>(file.size, 0);
  }
  Progress bar(fmt::format("{} {}", hub.id, repository.commit.substr(0, 8)), "MB", options.progress);
  int64_t finished = 0;
  for (const RepositoryFile& file : repository.files) {
    const auto report = [&](int64_t bytes) {
      bar.update(static_cast<uint64_t>(finished + bytes), static_cast<uint64_t>(total),
                 static_cast<double>(finished + bytes) / 1e6);
    };
    if (!file_exists(cache.blob(file))) {
      const std::string url =
          fmt::format("{}/{}/resolve/{}/{}", options.endpoint, hub.id, repository.commit, file.name);
      RETURN_IF_ERROR(fetch_file(url, file, cache.blob(file), http, report));
    }
    RETURN_IF_ERROR(cache.link(repository.commit, file));
    finished += std::max<int64_t>(file.size, 0);
  }
  bar.finish();
  RETURN_IF_ERROR(cache.set_ref(revision, repository.commit));
  if (const auto found = cache.find(revision, options.parts)) return *found;
  return absl::FailedPreconditionError(
      fmt::format("{} has no model in safetensors or pytorch_model.bin that Bouquet could serve", hub.id));
}

}  // namespace

ModelSourceOptions model_source_from_environment() {
  ModelSourceOptions options;
  if (std::string endpoint = environment("HF_ENDPOINT"); !endpoint.empty()) {
    while (endpoint.ends_with('/')) endpoint.pop_back();
    options.endpoint = endpoint;
  }
  const fs::path home = hub_home();
  options.cache = environment("HF_HUB_CACHE");
  if (options.cache.empty() && !home.empty()) options.cache = home / "hub";
  options.token = environment("HF_TOKEN");
  if (options.token.empty() && !home.empty()) options.token = read_file(home / "token").value_or("");
  options.token.erase(options.token.find_last_not_of(" \r\n") + 1);
  options.offline = is_true(environment("HF_HUB_OFFLINE"));
  return options;
}

absl::StatusOr<fs::path> find_model(const std::string& model, const ModelSourceOptions& options) {
  std::error_code ignored;
  if (fs::is_directory(model, ignored)) return fs::path(model);
  if (fs::is_regular_file(model, ignored)) {
    if (rose::is_gguf_path(model)) return fs::path(model);
    return absl::InvalidArgumentError(
        fmt::format("{} is a file; a model is a directory, a .gguf file, or a hub id: org/name", model));
  }
  ASSIGN_OR_RETURN(const HubId hub, parse_hub_id(model));
  const std::string revision = hub.revision.empty() ? options.revision : hub.revision;
  if (options.cache.empty()) {
    return absl::FailedPreconditionError(
        fmt::format("{} is no directory, and there is no cache to find or keep it in: set HF_HOME", model));
  }
  const HubCache cache(options.cache, hub.id);
  if (const auto found = cache.find(revision, options.parts)) return *found;
  if (options.offline) {
    return absl::NotFoundError(
        fmt::format("{} (revision {}) is not in {}, and the network is off (HF_HUB_OFFLINE or --offline)", hub.id,
                    revision, options.cache.string()));
  }
  return download(hub, revision, cache, options);
}

}  // namespace bouquet::cli
