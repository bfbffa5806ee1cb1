// The tokenizer of a model's directory, whichever files it comes in.
#pragma once

#include <filesystem>
#include <string>

#include "absl/status/statusor.h"

namespace bouquet::tokenizer {

// The file a directory's tokenizer is in: tokenizer.json, else vocab.txt, else vocab.json (with merges.txt), else
// sentencepiece.bpe.model, spiece.model or tokenizer.model. "" where there is none of them.
std::filesystem::path tokenizer_file(const std::filesystem::path& directory);

// That file as a tokenizer.json. NOT_FOUND: there is none. UNIMPLEMENTED: one that cannot be converted, saying what.
absl::StatusOr<std::string> tokenizer_json_of(const std::filesystem::path& file);

}  // namespace bouquet::tokenizer
