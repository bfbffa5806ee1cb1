// Hashes of files as the hub states them: sha256 for large files, git's blob id (sha1 over "blob SIZE\0" and the bytes)
// for small ones.
#pragma once

#include <filesystem>
#include <string>

#include "absl/status/statusor.h"

namespace bouquet::cli {

// Lower-case hexadecimal.
absl::StatusOr<std::string> sha256_of(const std::filesystem::path& file);
absl::StatusOr<std::string> git_blob_id_of(const std::filesystem::path& file);

}  // namespace bouquet::cli
