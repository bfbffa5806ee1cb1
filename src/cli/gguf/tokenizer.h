// The tokenizer inside a GGUF file as the tokenizer.json it was made of.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "rose/weights/gguf_metadata.h"
#include "tokenizer/tokenizer.h"

namespace bouquet::cli {

// Byte-level BPE whose splitting is known by its name (tokenizer.ggml.pre), and BERT's WordPiece; UNIMPLEMENTED names
// any other. INVALID_ARGUMENT where something of it is missing.
absl::StatusOr<std::string> gguf_tokenizer_json(const rose::GgufMetadata& metadata);

absl::StatusOr<std::unique_ptr<const tokenizer::Tokenizer>> load_gguf_tokenizer(const std::filesystem::path& file);

// The ids after which its text is complete; none where it has none.
absl::StatusOr<std::vector<int32_t>> read_gguf_stop_ids(const std::filesystem::path& file);

}  // namespace bouquet::cli
