// vocab.txt, BERT's WordPiece vocabulary with one token a line -> the tokenizer.json it stands for.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "tokenizer/loading/tokenizer_config.h"

namespace bouquet::tokenizer {

// As transformers' BertTokenizerFast. UNIMPLEMENTED where the class is another, naming it; INVALID_ARGUMENT where the
// vocabulary is not UTF-8 or lacks a token that the template needs.
absl::StatusOr<std::string> bert_tokenizer_json(std::string_view vocabulary, const TokenizerConfig& config);

}  // namespace bouquet::tokenizer
