// Finds the files of a zip archive whose files are stored as they are, so that they can be read in place. Checksums are
// not looked at. The archive is untrusted: every position is checked against it.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string_view>

#include "absl/status/statusor.h"

namespace bouquet::rose {

using ZipEntries = std::map<std::string_view, std::span<const std::byte>>;

bool is_zip(std::span<const std::byte> file);

// By name, in the large form too (zip64). Names and bytes point into `file`, which must outlive them. INVALID_ARGUMENT
// names the entry and what is wrong with it (compressed, encrypted, outside the file, named twice).
absl::StatusOr<ZipEntries> zip_entries(std::span<const std::byte> file);

}  // namespace bouquet::rose
