// A SentencePiece model -> the tokenizer.json it stands for, as the transformers class that the model names builds it:
// XLMRobertaTokenizer, T5Tokenizer and AlbertTokenizer from a Unigram model, LlamaTokenizer and GemmaTokenizer from
// BPE.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "tokenizer/loading/sentencepiece_file.h"
#include "tokenizer/loading/tokenizer_config.h"

namespace bouquet::tokenizer {

// UNIMPLEMENTED where the class is another or the model is not of its type, naming it.
absl::StatusOr<std::string> sentencepiece_tokenizer_json(const SentencePieceFile& file, const TokenizerConfig& config);

}  // namespace bouquet::tokenizer
