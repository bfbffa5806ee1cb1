// Places where a text can be cut so that tokenizing the halves gives the tokens of the whole; they let truncation stop
// early, from either end.
//
// Safe are: between white space and a letter; between two Chinese characters, where the normaliser sets them apart;
// between punctuation and a letter, where the pre-tokenizer does; each time only if no added token can reach across.
#pragma once

#include <set>
#include <string_view>

#include "tokenizer/added_tokens.h"
#include "tokenizer/normalizer.h"
#include "tokenizer/pre_tokenizer.h"

namespace bouquet::tokenizer {

class Boundaries {
 public:
  // `normalizer` and `pre_tokenizer` may be null. Without a pre-tokenizer nothing is safe.
  Boundaries(const AddedTokens& added, const Normalizer* normalizer, const PreTokenizer* pre_tokenizer);

  // The first safe place at or after `from`, else text.size(). `text` need not be well-formed UTF-8.
  size_t next(std::string_view text, size_t from) const;

  // The last safe place at or before `from`, else 0.
  size_t previous(std::string_view text, size_t from) const;

 private:
  void study(const AddedTokenSearch& search, bool normalized);
  bool is_safe(std::string_view text, size_t at) const;

  bool any_ = true;           // whether any place is safe
  bool ascii_tokens_ = true;  // added tokens are all ASCII
  bool isolates_chinese_ = false;
  bool isolates_punctuation_ = false;
  bool in_tokens_[128] = {};          // ASCII characters of added tokens
  std::set<char32_t> lstrip_starts_;  // first characters of added tokens that take white space before them
};

}  // namespace bouquet::tokenizer
