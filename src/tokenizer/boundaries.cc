// Looks only at the character on each side of the cut.
#include "tokenizer/boundaries.h"

#include <optional>

#include "base/utf8.h"
#include "tokenizer/unicode/hangul.h"
#include "tokenizer/unicode/regex_classes.h"
#include "tokenizer/unicode/unicode.h"
#include "tokenizer/unicode/utf8_chars.h"

namespace bouquet::tokenizer {
namespace {

// The character at `at`, if it is well formed.
std::optional<char32_t> char_at(std::string_view text, size_t at) {
  const std::string_view bytes = text.substr(at, utf8_length(text[at]));
  if (static_cast<unsigned char>(bytes[0]) < 0x80) return static_cast<char32_t>(bytes[0]);
  if (bytes.size() != utf8_length(bytes[0]) || !is_valid_utf8(bytes)) return std::nullopt;
  return utf8_at(bytes, 0).code;
}

// The character that ends at `at`, if it is well formed.
std::optional<char32_t> char_before(std::string_view text, size_t at) {
  size_t begin = at - 1;
  while (begin > 0 && at - begin < 4 && (static_cast<unsigned char>(text[begin]) & 0xC0) == 0x80) --begin;
  if (begin + utf8_length(text[begin]) != at) return std::nullopt;
  return char_at(text, begin);
}

// A word character that neither vanishes nor moves to another.
bool is_letter(uint16_t flags) {
  constexpr uint16_t kMoves = kMarkFlag | kCombiningFlag | kReordersFlag | kDroppedFlag;
  return (flags & (kWordFlag | kMoves)) == kWordFlag;
}

// A letter or digit that is one in every normal form and is not followed by a mark then.
bool is_lasting_letter(char32_t code, uint16_t flags) {
  constexpr char32_t kIotaWithSpace = 0x37A, kFirstCompatible = 0xF900;
  if (code < 0x80) return is_letter(flags) && code != '_';
  if ((flags & kChineseFlag) != 0 || hangul::is_syllable(code)) return true;
  return is_letter(flags) && (flags & kDecomposesFlag) == 0 && code < kFirstCompatible && code != kIotaWithSpace &&
         (RegexClasses::get().of(code) & (kLetterClass | kNumberClass)) != 0;
}

bool is_plain_space(char32_t code) { return code == ' ' || code == '\t' || code == '\n' || code == '\r'; }

}  // namespace

Boundaries::Boundaries(const AddedTokens& added, const Normalizer* normalizer, const PreTokenizer* pre_tokenizer) {
  if (pre_tokenizer != nullptr) rule_ = pre_tokenizer->cut_rule();
  if (rule_ == CutRule::kAsNext) rule_ = CutRule::kNowhere;
  if (normalizer != nullptr && normalizer->looks_at_ends()) rule_ = CutRule::kNowhere;
  isolates_chinese_ = normalizer != nullptr && normalizer->isolates_chinese();
  isolates_punctuation_ = pre_tokenizer != nullptr && pre_tokenizer->isolates_punctuation();
  normalized_tokens_ = !added.normalized().empty();
  study(added.raw(), false);
  study(added.normalized(), true);
}

void Boundaries::study(const AddedTokenSearch& search, bool normalized) {
  const UnicodeTable& table = UnicodeTable::get();
  for (const AddedTokenSearch::Pattern& pattern : search.patterns()) {
    for (size_t at = 0; at < pattern.text.size(); at += utf8_length(pattern.text[at])) {
      const char32_t code = utf8_at(pattern.text, at).code;
      if ((table.flags(code) & kWhitespaceFlag) != 0) rule_ = CutRule::kNowhere;
      if (code < 128) {
        in_tokens_[code] = true;
      } else {
        ascii_tokens_ = false;
        others_in_tokens_.insert(code);
      }
    }
    takes_space_behind_ |= pattern.flags.rstrip;
    if (!pattern.flags.lstrip) continue;
    if (normalized) rule_ = CutRule::kNowhere;
    lstrip_starts_.insert(utf8_at(pattern.text, 0).code);
  }
}

// A word character, one space, and another: no added token has white space in it, nor takes it away.
bool Boundaries::is_before_single_space(std::string_view text, size_t at) const {
  if (text[at] != ' ' || at + 1 >= text.size() || takes_space_behind_) return false;
  const std::optional<char32_t> before = char_before(text, at), after = char_at(text, at + 1);
  if (!before || !after) return false;
  const UnicodeTable& table = UnicodeTable::get();
  return is_letter(table.flags(*before)) && is_letter(table.flags(*after)) && !lstrip_starts_.contains(*after);
}

// A letter, then white space or punctuation that is in no added token.
bool Boundaries::is_after_letter(std::string_view text, size_t at) const {
  const std::optional<char32_t> after = char_at(text, at);
  if (!after || *after == '_') return false;
  const UnicodeTable& table = UnicodeTable::get();
  if (!is_plain_space(*after)) {
    if ((table.flags(*after) & kPunctuationFlag) == 0) return false;
    if (*after < 128 ? in_tokens_[*after] : normalized_tokens_ || others_in_tokens_.contains(*after)) return false;
  } else if (takes_space_behind_) {
    return false;
  }
  const std::optional<char32_t> before = char_before(text, at);
  return before && is_lasting_letter(*before, table.flags(*before));
}

bool Boundaries::is_safe(std::string_view text, size_t at) const {
  if (rule_ == CutRule::kAfterLetter) return is_after_letter(text, at);
  if (rule_ == CutRule::kBeforeSpace) return is_before_single_space(text, at);
  const auto last = static_cast<unsigned char>(text[at - 1]);
  if (last < 0x80 && (UnicodeTable::get().flags(last) & (kPunctuationFlag | kWhitespaceFlag)) == 0) return false;
  const std::optional<char32_t> before = char_before(text, at);
  const std::optional<char32_t> after = before ? char_at(text, at) : std::nullopt;
  if (!after) return false;
  const UnicodeTable& table = UnicodeTable::get();
  const uint16_t left = table.flags(*before);
  const uint16_t right = table.flags(*after);
  if (!is_letter(right)) return false;
  if (is_plain_space(*before)) return !lstrip_starts_.contains(*after);
  if (!ascii_tokens_) return false;
  if (isolates_chinese_ && (left & kChineseFlag) != 0 && (right & kChineseFlag) != 0) return true;
  if (!isolates_punctuation_ || (left & kPunctuationFlag) == 0) return false;
  if ((left & (kWordFlag | kDroppedFlag | kDecomposesFlag | kLowersFlag)) != 0) return false;
  return *before < 128 ? !in_tokens_[*before] : !normalized_tokens_;
}

size_t Boundaries::next(std::string_view text, size_t from) const {
  for (size_t at = from == 0 ? 1 : from; rule_ != CutRule::kNowhere && at < text.size(); ++at) {
    if (is_safe(text, at)) return at;
  }
  return text.size();
}

size_t Boundaries::previous(std::string_view text, size_t from) const {
  for (size_t at = from < text.size() ? from : text.size() - 1; rule_ != CutRule::kNowhere && !text.empty() && at > 0;
       --at) {
    if (is_safe(text, at)) return at;
  }
  return 0;
}

}  // namespace bouquet::tokenizer
