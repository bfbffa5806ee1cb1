// One list of settings: every long flag of a subcommand is also an environment variable (BOUQUET_MAX_LENGTH for
// --max-length) and a key of the TOML file (max-length = 256). The command line wins, then the environment, then the
// file.
#pragma once

#include <filesystem>
#include <string>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"

namespace bouquet::cli {

// Fills the options that the command line left out. `file` may be empty. A key the subcommand does not have is an error
// that names it; so is a value of the wrong kind.
absl::Status apply_settings(CLI::App& command, const std::filesystem::path& file);

// "--max-length" -> "BOUQUET_MAX_LENGTH"
std::string environment_name(const std::string& flag);

}  // namespace bouquet::cli
