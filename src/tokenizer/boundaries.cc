// Looks only at the character on each side of the cut.
#include "tokenizer/boundaries.h"

#include <optional>

#include "base/utf8.h"
#include "tokenizer/unicode.h"
#include "tokenizer/utf8_chars.h"

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

bool is_plain_space(char32_t code) { return code == ' ' || code == '\t' || code == '\n' || code == '\r'; }

}  // namespace

Boundaries::Boundaries(const AddedTokens& added, const Normalizer* normalizer, const PreTokenizer* pre_tokenizer) {
  any_ = pre_tokenizer != nullptr;
  isolates_chinese_ = normalizer != nullptr && normalizer->isolates_chinese();
  isolates_punctuation_ = pre_tokenizer != nullptr && pre_tokenizer->isolates_punctuation();
  study(added.raw(), false);
  study(added.normalized(), true);
}

void Boundaries::study(const AddedTokenSearch& search, bool normalized) {
  const UnicodeTable& table = UnicodeTable::get();
  for (const AddedTokenSearch::Pattern& pattern : search.patterns()) {
    for (size_t at = 0; at < pattern.text.size(); at += utf8_length(pattern.text[at])) {
      const char32_t code = utf8_at(pattern.text, at).code;
      if ((table.flags(code) & kWhitespaceFlag) != 0) any_ = false;
      if (code < 128) {
        in_tokens_[code] = true;
      } else {
        ascii_tokens_ = false;
      }
    }
    if (!pattern.flags.lstrip) continue;
    if (normalized) any_ = false;
    lstrip_starts_.insert(utf8_at(pattern.text, 0).code);
  }
}

bool Boundaries::is_safe(std::string_view text, size_t at) const {
  const auto last = static_cast<unsigned char>(text[at - 1]);
  if (last < 0x80 && (UnicodeTable::get().flags(last) & (kPunctuationFlag | kWhitespaceFlag)) == 0) return false;
  const std::optional<char32_t> before = char_before(text, at);
  const std::optional<char32_t> after = before ? char_at(text, at) : std::nullopt;
  if (!after) return false;
  const UnicodeTable& table = UnicodeTable::get();
  const uint16_t left = table.flags(*before);
  const uint16_t right = table.flags(*after);
  if ((right & kWordFlag) == 0 || (right & (kMarkFlag | kCombiningFlag | kReordersFlag | kDroppedFlag)) != 0)
    return false;
  if (is_plain_space(*before)) return !lstrip_starts_.contains(*after);
  if (!ascii_tokens_) return false;
  if (isolates_chinese_ && (left & kChineseFlag) != 0 && (right & kChineseFlag) != 0) return true;
  if (!isolates_punctuation_ || (left & kPunctuationFlag) == 0) return false;
  if ((left & (kWordFlag | kDroppedFlag | kDecomposesFlag | kLowersFlag)) != 0) return false;
  return *before >= 128 || !in_tokens_[*before];
}

size_t Boundaries::next(std::string_view text, size_t from) const {
  for (size_t at = from == 0 ? 1 : from; any_ && at < text.size(); ++at) {
    if (is_safe(text, at)) return at;
  }
  return text.size();
}

size_t Boundaries::previous(std::string_view text, size_t from) const {
  for (size_t at = from < text.size() ? from : text.size() - 1; any_ && !text.empty() && at > 0; --at) {
    if (is_safe(text, at)) return at;
  }
  return 0;
}

}  // namespace bouquet::tokenizer
