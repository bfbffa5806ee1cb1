// The tokenizer inside a GGUF file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "tokenizer/tokenizer.h"

namespace bouquet::cli {

// Errors are those of tokenizer/loading/gguf_vocabulary.h and of rose/weights/gguf.h, with the file's name.
absl::StatusOr<std::unique_ptr<const tokenizer::Tokenizer>> load_gguf_tokenizer(const std::filesystem::path& file);

// The ids after which its text is complete; none where it has none.
absl::StatusOr<std::vector<int32_t>> read_gguf_stop_ids(const std::filesystem::path& file);

}  // namespace bouquet::cli
