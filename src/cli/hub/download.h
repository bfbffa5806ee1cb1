// One file from the hub to disk: resumed where an earlier try was cut, retried when the network or the hub asks for it,
// checked against the hub's hash before it gets its name.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "cli/hub/http.h"
#include "cli/hub/repository.h"

namespace bouquet::cli {

struct DownloadOptions {
  std::string token;
  int tries = 5;
  std::chrono::milliseconds first_pause{500};  // doubled after each failed try; a Retry-After header goes before it
  std::chrono::seconds longest_pause{60};
};

// Bytes of this file on disk so far.
using DownloadProgress = std::function<void(int64_t bytes)>;

// GET of a small document, with the same retries. Errors by what the hub says: NOT_FOUND (404), PERMISSION_DENIED (401,
// 403; says what a token could do), UNAVAILABLE (the network, 429, 5xx), each naming the URL.
absl::StatusOr<std::string> fetch_text(const std::string& url, const DownloadOptions& options);

// Into `target`, through target.incomplete. DATA_LOSS when its hash is wrong twice.
absl::Status fetch_file(const std::string& url, const RepositoryFile& file, const std::filesystem::path& target,
                        const DownloadOptions& options, const DownloadProgress& progress);

}  // namespace bouquet::cli
