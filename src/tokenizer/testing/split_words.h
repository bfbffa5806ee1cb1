// What a pre-tokenizer makes of a text, as strings.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tokenizer/pre_tokenizers/pre_tokenizer.h"

namespace bouquet::tokenizer {

inline std::vector<std::string> split_words(const PreTokenizer& pre_tokenizer, std::string_view text) {
  NormalizedText normalized;
  normalized.reset(text);
  std::vector<Piece> words;
  if (text.empty()) return {};
  pre_tokenizer.split({{{0, static_cast<uint32_t>(text.size())}}}, &normalized, &words);
  std::vector<std::string> result;
  for (const Piece& word : words) {
    result.emplace_back(normalized.view().substr(word.span.begin, word.span.end - word.span.begin));
  }
  return result;
}

}  // namespace bouquet::tokenizer
