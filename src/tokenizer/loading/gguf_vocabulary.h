// What a GGUF file says of its tokenizer (keys tokenizer.ggml.*) -> the tokenizer.json it was made of.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace bouquet::tokenizer {

// By the names of the keys; texts are whatever bytes the file has, and outlive it.
struct GgufVocabulary {
  std::string_view model;
  std::string_view pre = "default";      // how a text is split, by name
  std::vector<std::string_view> tokens;  // by id
  std::vector<int64_t> token_type;       // of the first tokens; the others are normal
  std::optional<std::vector<std::string_view>> merges;
  std::optional<bool> add_bos_token, add_eos_token;
  std::optional<int64_t> bos_token_id, eos_token_id, cls_token_id, seperator_token_id;
};

// Byte-level BPE whose splitting is known by its name, and BERT's WordPiece; UNIMPLEMENTED names any other.
// INVALID_ARGUMENT where something of it is missing.
absl::StatusOr<std::string> gguf_tokenizer_json(const GgufVocabulary& vocabulary);

}  // namespace bouquet::tokenizer
