// vocab.json and merges.txt, the two files of byte-level BPE -> the tokenizer.json they stand for.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "tokenizer/loading/tokenizer_config.h"

namespace bouquet::tokenizer {

// As transformers' RobertaTokenizer, GPT2Tokenizer or Qwen2Tokenizer; no class is GPT2Tokenizer. UNIMPLEMENTED where
// the class is another, naming it; INVALID_ARGUMENT where the vocabulary is no object of ids, merges are not pairs, or
// a token that the template needs is missing.
absl::StatusOr<std::string> bpe_tokenizer_json(std::string_view vocabulary, std::string_view merges,
                                               const TokenizerConfig& config);

}  // namespace bouquet::tokenizer
