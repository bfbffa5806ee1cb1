// Retries around http_get, and the hash at the end.
#include "cli/hub/download.h"

#include <algorithm>
#include <fstream>
#include <thread>

#include "base/status.h"
#include "cli/hub/checksum.h"
#include "fmt/format.h"

namespace bouquet::cli {
namespace {

namespace fs = std::filesystem;
constexpr size_t kMaxText = 64 << 20;  // bytes of a listing

bool is_worth_retrying(long status) { return status == 408 || status == 429 || status >= 500; }

absl::Status status_of(long code, const std::string& url, bool with_token) {
  if (code == 404) return absl::NotFoundError(fmt::format("{}: not found (404)", url));
  if (code == 401 || code == 403) {
    return absl::PermissionDeniedError(fmt::format(
        "{}: refused ({}). {}", url, code,
        with_token
            ? "The token in HF_TOKEN does not give access; accept the model's conditions on its page, or check its name"
            : "The model may be private, gated or misspelt; set HF_TOKEN to a token that may read it"));
  }
  return absl::UnavailableError(fmt::format("{}: the hub answered {}", url, code));
}

std::chrono::milliseconds pause_before_retry(const HttpResponse* response, int attempt,
                                             const DownloadOptions& options) {
  auto pause = options.first_pause * (1 << std::min(attempt, 10));
  if (response) {
    const auto header = response->headers.find("retry-after");
    const int seconds = header == response->headers.end() ? 0 : std::atoi(header->second.c_str());
    if (seconds > 0) pause = std::chrono::seconds(seconds);
  }
  return std::min<std::chrono::milliseconds>(pause, options.longest_pause);
}

// Calls `attempt` until it gives a final response, or the tries are used up.
template <class Attempt>
absl::StatusOr<HttpResponse> with_retries(const std::string& url, const DownloadOptions& options, Attempt attempt) {
  for (int i = 0;; ++i) {
    const absl::StatusOr<HttpResponse> response = attempt();
    if (!response.ok() && !absl::IsUnavailable(response.status())) return response.status();
    if (response.ok() && !is_worth_retrying(response->status)) {
      if (response->status == 200 || response->status == 206 || response->status == 416) return response;
      return status_of(response->status, url, !options.token.empty());
    }
    if (i + 1 >= options.tries)
      return response.ok() ? status_of(response->status, url, !options.token.empty()) : response.status();
    std::this_thread::sleep_for(pause_before_retry(response.ok() ? &*response : nullptr, i, options));
  }
}

absl::StatusOr<bool> has_right_hash(const fs::path& path, const RepositoryFile& file) {
  if (!file.sha256.empty()) {
    ASSIGN_OR_RETURN(const std::string hash, sha256_of(path));
    return hash == file.sha256;
  }
  ASSIGN_OR_RETURN(const std::string hash, git_blob_id_of(path));
  return hash == file.blob;
}

int64_t size_on_disk(const fs::path& path) {
  std::error_code error;
  const auto size = fs::file_size(path, error);
  return error ? 0 : static_cast<int64_t>(size);
}

// One try: appends to `path` what is missing of it. A server that ignores the range sends all: then it starts anew.
absl::StatusOr<HttpResponse> append_rest(const std::string& url, const fs::path& path, const DownloadOptions& options,
                                         const DownloadProgress& progress) {
  const int64_t have = size_on_disk(path);
  std::ofstream out;
  bool write_failed = false;
  int64_t bytes = have;
  const auto response = http_get({url, options.token, have}, [&](std::string_view piece, const HttpResponse& r) {
    if (!out.is_open()) {
      const bool anew = r.status == 200;
      if (anew) bytes = 0;
      out.open(path, std::ios::binary | (anew ? std::ios::trunc : std::ios::app));
    }
    out.write(piece.data(), static_cast<std::streamsize>(piece.size()));
    write_failed |= !out;
    bytes += static_cast<int64_t>(piece.size());
    progress(bytes);
    return !write_failed;
  });
  if (write_failed)
    return absl::FailedPreconditionError(fmt::format("cannot write {} (is the disk full?)", path.string()));
  return response;
}

}  // namespace

absl::StatusOr<std::string> fetch_text(const std::string& url, const DownloadOptions& options) {
  std::string text;
  ASSIGN_OR_RETURN(const HttpResponse response, with_retries(url, options, [&] {
                     text.clear();
                     return http_get({url, options.token, 0}, [&](std::string_view piece, const HttpResponse&) {
                       text.append(piece);
                       return text.size() <= kMaxText;
                     });
                   }));
  return text;
}

absl::Status fetch_file(const std::string& url, const RepositoryFile& file, const fs::path& target,
                        const DownloadOptions& options, const DownloadProgress& progress) {
  std::error_code error;
  fs::create_directories(target.parent_path(), error);
  if (error)
    return absl::FailedPreconditionError(
        fmt::format("cannot create {}: {}", target.parent_path().string(), error.message()));
  const fs::path incomplete = target.string() + ".incomplete";
  for (int round = 0; round < 2;
       ++round) {  // a resumed file may rest on bytes that were wrong: the second round is fresh
    ASSIGN_OR_RETURN(const HttpResponse response,
                     with_retries(url, options, [&] { return append_rest(url, incomplete, options, progress); }));
    if (size_on_disk(incomplete) == 0) std::ofstream(incomplete, std::ios::binary);  // an empty file has no body
    ASSIGN_OR_RETURN(const bool right, has_right_hash(incomplete, file));
    if (right) {
      fs::rename(incomplete, target, error);
      return error ? absl::FailedPreconditionError(
                         fmt::format("cannot rename {}: {}", incomplete.string(), error.message()))
                   : absl::OkStatus();
    }
    fs::remove(incomplete, error);
  }
  return absl::DataLossError(
      fmt::format("{}: what the hub sends does not have the hash that it states; nothing was kept", url));
}

}  // namespace bouquet::cli
