// vocab.txt, BERT's WordPiece vocabulary with one token a line -> the tokenizer.json it stands for.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "tokenizer/loading/tokenizer_config.h"
#include "tokenizer/loading/tokenizer_text.h"

namespace bouquet::tokenizer {

// BERT's WordPiece over these pieces and their ids, as yet without a template and added tokens.
TokenizerText bert_text(const std::map<std::string, int32_t, std::less<>>& ids, std::string_view unknown,
                        const TokenizerConfig& config);

// As transformers' BertTokenizerFast. UNIMPLEMENTED where the class is another, naming it; INVALID_ARGUMENT where the
// vocabulary is not UTF-8 or lacks a token that the template needs.
absl::StatusOr<std::string> bert_tokenizer_json(std::string_view vocabulary, const TokenizerConfig& config);

}  // namespace bouquet::tokenizer
