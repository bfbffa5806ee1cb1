// What a GGUF file says of its model, as the files of a transformers directory would.
#pragma once

#include <filesystem>

#include "absl/status/statusor.h"
#include "rose/models/json_config.h"
#include "rose/models/model_directory.h"

namespace bouquet::rose {

// By its ending.
bool is_gguf_path(const std::filesystem::path& path);

// As config.json. UNIMPLEMENTED names an architecture or a key that would change the mathematics and is not built.
absl::StatusOr<JsonConfig> read_gguf_config(const std::filesystem::path& file);

// An embedder, pooled as the file says and to unit length. INVALID_ARGUMENT where it names no pooling.
absl::StatusOr<ModelDirectory> read_gguf_directory(const std::filesystem::path& file);

}  // namespace bouquet::rose
