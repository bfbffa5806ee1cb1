// The ids after which a language model's text is complete.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "absl/status/statusor.h"

namespace bouquet::cli {

// eos_token_id, one or several, of generation_config.json, else of config.json, or of a GGUF file; none where there is
// none.
// INVALID_ARGUMENT where it is no id.
absl::StatusOr<std::vector<int32_t>> read_stop_ids(const std::filesystem::path& directory);

}  // namespace bouquet::cli
