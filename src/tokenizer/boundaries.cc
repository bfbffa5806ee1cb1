// Looks only at the character on each side of the cut.
#include "tokenizer/boundaries.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <algorithm>
#include <bit>
#include <cstring>
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

// Word characters that a compatibility form, and with it a character map, begins with a space or a mark: Greek's iota
// alone, Thai's and Lao's am, Arabic's vowels alone, the half-width voice marks of kana.
bool becomes_mark(char32_t code) {
  constexpr char32_t kSingle[] = {0x37A, 0xE33, 0xEB3, 0xFF9E, 0xFF9F};
  const bool is_arabic_vowel = (code >= 0xFC5E && code <= 0xFC63) || (code >= 0xFE70 && code <= 0xFE7F);
  return is_arabic_vowel || std::find(std::begin(kSingle), std::end(kSingle), code) != std::end(kSingle);
}

// A word character that neither vanishes nor moves to another.
bool is_letter(char32_t code, uint16_t flags) {
  constexpr uint16_t kMoves = kMarkFlag | kCombiningFlag | kReordersFlag | kDroppedFlag;
  return (flags & (kWordFlag | kMoves)) == kWordFlag && !becomes_mark(code);
}

// Never part of the character before it, nor white space.
bool stays(char32_t code) { return (code > ' ' && code < 0x7F) || is_letter(code, UnicodeTable::get().flags(code)); }

// Letters that end otherwise in some normal form: L with a middle dot, DZ whose caron comes apart.
bool ends_otherwise(char32_t code) {
  constexpr char32_t kThose[] = {0x13F, 0x140, 0x1C4, 0x1C5, 0x1C6};
  return std::find(std::begin(kThose), std::end(kThose), code) != std::end(kThose);
}

// A letter or digit that is one in every normal form and is not followed by a mark then.
bool is_lasting_letter(char32_t code, uint16_t flags) {
  constexpr char32_t kFirstCompatible = 0xF900;
  if (code < 0x80) return is_letter(code, flags) && code != '_';
  if ((RegexClasses::get().of(code) & (kLetterClass | kNumberClass)) == 0) return false;
  if ((flags & kChineseFlag) != 0 || hangul::is_syllable(code)) return true;
  return is_letter(code, flags) && (flags & kDecomposesFlag) == 0 && code < kFirstCompatible && !ends_otherwise(code);
}

constexpr char32_t kWideQuote = 0xFF07;  // ' in a compatibility form

bool is_ascii_alphanumeric(unsigned char byte) {
  return (byte >= '0' && byte <= '9') || ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z');
}

bool is_plain_space(char32_t code) { return code == ' ' || code == '\t' || code == '\n' || code == '\r'; }

// Which of the 64 bytes are white space or control characters of ASCII; bit i is byte i.
uint64_t space_mask(const char* bytes) {
  uint64_t mask = 0;
#ifdef __SSE2__
  const __m128i space = _mm_set1_epi8(' ');
  for (int i = 0; i < 4; ++i) {
    const __m128i part = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes) + i);
    const __m128i found = _mm_cmpeq_epi8(_mm_min_epu8(part, space), part);
    mask |= static_cast<uint64_t>(static_cast<uint32_t>(_mm_movemask_epi8(found))) << (16 * i);
  }
#else
  for (int i = 0; i < 64; ++i) mask |= static_cast<uint64_t>(static_cast<unsigned char>(bytes[i]) <= ' ') << i;
#endif
  return mask;
}

// The same of up to 64 bytes.
uint64_t space_mask_of_rest(std::string_view rest) {
  char bytes[64];
  std::memset(bytes, 'x', sizeof(bytes));
  std::memcpy(bytes, rest.data(), rest.size());
  return space_mask(bytes);
}

}  // namespace

Boundaries::Boundaries(const AddedTokens& added, const Normalizer* normalizer, const PreTokenizer* pre_tokenizer) {
  if (pre_tokenizer != nullptr) rule_ = pre_tokenizer->cut_rule();
  if (rule_ == CutRule::kAsNext) rule_ = CutRule::kNowhere;
  if (normalizer != nullptr && normalizer->looks_at_ends()) rule_ = CutRule::kNowhere;
  isolates_chinese_ = normalizer != nullptr && normalizer->isolates_chinese();
  if (isolates_chinese_ && rule_ != CutRule::kAfterSpace) rule_ = CutRule::kNowhere;  // spaces it writes join others
  isolates_punctuation_ = pre_tokenizer != nullptr && pre_tokenizer->isolates_punctuation();
  normalized_tokens_ = !added.normalized().empty();
  study(added.raw(), false);
  study(added.normalized(), true);
  for (char32_t code = 0; code < 128; ++code) begins_word_[code] = begins_word(code);
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

// A character, one space, and another: no added token has white space in it, nor takes it away.
bool Boundaries::is_before_single_space(std::string_view text, size_t at) const {
  if (text[at] != ' ' || at + 1 >= text.size() || takes_space_behind_) return false;
  const std::optional<char32_t> before = char_before(text, at), after = char_at(text, at + 1);
  if (!before || !after) return false;
  return stays(*before) && begins_word(*after);
}

bool Boundaries::begins_word(char32_t code) const { return stays(code) && !lstrip_starts_.contains(code); }

// A letter, then white space or punctuation that is in no added token. A contraction's quote may go to the letter.
bool Boundaries::is_after_letter(std::string_view text, size_t at) const {
  const std::optional<char32_t> after = char_at(text, at);
  if (!after || *after == '_' || *after == '\'' || *after == kWideQuote) return false;
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
  if (rule_ == CutRule::kAfterLetter) return is_after_letter(text, at) || is_before_single_space(text, at);
  if (rule_ == CutRule::kBeforeSpace) return is_before_single_space(text, at);
  const auto last = static_cast<unsigned char>(text[at - 1]);
  if (last < 0x80 && (UnicodeTable::get().flags(last) & (kPunctuationFlag | kWhitespaceFlag)) == 0) return false;
  const std::optional<char32_t> before = char_before(text, at);
  const std::optional<char32_t> after = before ? char_at(text, at) : std::nullopt;
  if (!after) return false;
  const UnicodeTable& table = UnicodeTable::get();
  const uint16_t left = table.flags(*before);
  const uint16_t right = table.flags(*after);
  if (is_plain_space(*before)) return begins_word(*after);
  if (!is_letter(*after, right)) return false;
  if (!ascii_tokens_) return false;
  if (isolates_chinese_ && (left & kChineseFlag) != 0 && (right & kChineseFlag) != 0) return true;
  if (!isolates_punctuation_ || (left & kPunctuationFlag) == 0) return false;
  if ((left & (kWordFlag | kDroppedFlag | kDecomposesFlag | kLowersFlag)) != 0) return false;
  return *before < 128 ? !in_tokens_[*before] : !normalized_tokens_;
}

bool Boundaries::is_safe_at_space(std::string_view text, size_t at) const {
  const auto left = static_cast<unsigned char>(text[at - 1]);
  if (rule_ != CutRule::kAfterSpace) return left > ' ' && is_safe_before_space(text, at);
  if (!is_plain_space(left)) return false;
  const auto right = static_cast<unsigned char>(text[at]);
  return right < 128 ? begins_word_[right] : begins_word(utf8_at(text, at).code);
}

// ASCII on both sides is the rule and needs no look at the tables.
bool Boundaries::is_safe_before_space(std::string_view text, size_t at) const {
  const auto left = static_cast<unsigned char>(text[at - 1]);
  const unsigned char right = at + 1 < text.size() ? static_cast<unsigned char>(text[at + 1]) : 0x80;
  if (left >= 0x80 || right >= 0x80 || text[at] != ' ') return is_safe(text, at);
  const bool behind_letter = rule_ == CutRule::kAfterLetter && is_ascii_alphanumeric(left);
  return !takes_space_behind_ && (behind_letter || (left != 0x7F && begins_word_[right]));
}

std::span<const Piece> Boundaries::chunks(std::string_view text, size_t at, std::span<Piece> chunks) const {
  const size_t behind = rule_ == CutRule::kAfterSpace ? 1 : 0;
  size_t count = 0;
  auto begin = static_cast<uint32_t>(at);
  const auto add = [&](size_t end) {
    chunks[count++] = {{begin, static_cast<uint32_t>(end)}};
    begin = static_cast<uint32_t>(end);
  };
  for (size_t block = at + 1 - behind; block < text.size(); block += 64) {
    const std::string_view rest = text.substr(block);
    uint64_t mask = rest.size() >= 64 ? space_mask(rest.data()) : space_mask_of_rest(rest);
    for (; mask != 0; mask &= mask - 1) {
      const size_t place = block + static_cast<size_t>(std::countr_zero(mask)) + behind;
      if (place == text.size() || !is_safe_at_space(text, place)) continue;
      add(place);
      if (count == chunks.size()) return chunks;
    }
  }
  add(text.size());
  return chunks.first(count);
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
