// Places where a text can be cut so that tokenizing the halves gives the tokens of the whole; they let truncation stop
// early, from either end.
//
// Safe are: between white space and what begins a word, before a single space, or between a letter and what is none, as
// the pre-tokenizer says; between two Chinese characters, where the normaliser sets them apart; between punctuation and
// a letter, where the pre-tokenizer does; each time only if no added token can reach across.
#pragma once

#include <set>
#include <span>
#include <string_view>

#include "tokenizer/added_tokens.h"
#include "tokenizer/normalizers/normalizer.h"
#include "tokenizer/pre_tokenizers/pre_tokenizer.h"

namespace bouquet::tokenizer {

class Boundaries {
 public:
  // `normalizer` and `pre_tokenizer` may be null. Without a pre-tokenizer nothing is safe, nor with
  // a normaliser that looks at the ends of a text, or that writes spaces which the pre-tokenizer keeps.
  Boundaries(const AddedTokens& added, const Normalizer* normalizer, const PreTokenizer* pre_tokenizer);

  // Whether no place of any text is safe.
  bool nowhere() const { return rule_ == CutRule::kNowhere; }

  // The first safe place at or after `from`, else text.size(). `text` need not be well-formed UTF-8.
  size_t next(std::string_view text, size_t from) const;

  // What safe places at white space cut the text into from `at` on, in order: as much as `chunks` (not empty) has room
  // for. Not where nowhere(). `text` is well-formed UTF-8 and goes on behind `at`.
  std::span<const Piece> chunks(std::string_view text, size_t at, std::span<Piece> chunks) const;

  // The last safe place at or before `from`, else 0.
  size_t previous(std::string_view text, size_t from) const;

 private:
  void study(const AddedTokenSearch& search, bool normalized);
  bool is_safe(std::string_view text, size_t at) const;
  bool is_before_single_space(std::string_view text, size_t at) const;
  bool is_safe_at_space(std::string_view text, size_t at) const;
  bool is_safe_before_space(std::string_view text, size_t at) const;
  bool begins_word(char32_t code) const;  // behind white space
  bool is_after_letter(std::string_view text, size_t at) const;

  CutRule rule_ = CutRule::kNowhere;
  bool ascii_tokens_ = true;  // added tokens are all ASCII
  bool isolates_chinese_ = false;
  bool isolates_punctuation_ = false;
  bool normalized_tokens_ = false;       // what looks like none of an added token's characters may become one
  bool in_tokens_[128] = {};             // ASCII characters of added tokens
  std::set<char32_t> others_in_tokens_;  // ... and the others
  bool takes_space_behind_ = false;      // an added token does
  bool begins_word_[128] = {};           // begins_word() of ASCII
  std::set<char32_t> lstrip_starts_;     // first characters of added tokens that take white space before them
};

}  // namespace bouquet::tokenizer
