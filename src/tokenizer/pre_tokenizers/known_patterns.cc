// A scanner is a function that tells where the match at a place ends; alternatives are tried in the pattern's order.
#include "tokenizer/pre_tokenizers/known_patterns.h"

#include <algorithm>
#include <array>
#include <bit>

#include "tokenizer/pre_tokenizers/ascii_words.h"
#include "tokenizer/unicode/regex_classes.h"
#include "tokenizer/unicode/utf8_chars.h"

namespace bouquet::tokenizer {
namespace {

// Flags beside those of RegexClass.
constexpr uint16_t kNewlineClass = 1 << 14;  // \r and \n
constexpr uint16_t kNotAsciiByte = 1 << 15;

constexpr uint16_t kLetterOrNumber = kLetterClass | kNumberClass;
constexpr uint16_t kSpaceLetterOrNumber = kLetterOrNumber | kSpaceClass;
constexpr uint16_t kLetterOrMark = kLetterClass | kMarkClass;
constexpr uint16_t kCaseless = kModifierClass | kOtherLetterClass | kMarkClass;
constexpr uint16_t kNotLower = kUpperClass | kTitleClass | kCaseless;
constexpr uint16_t kNotUpper = kLowerClass | kCaseless;
constexpr uint16_t kPunctuationOrSymbol = kPunctuationClass | kSymbolClass;

const std::array<uint16_t, 256>& byte_classes() {
  static const std::array<uint16_t, 256> classes = [] {
    std::array<uint16_t, 256> result;
    result.fill(kNotAsciiByte);
    for (char32_t code = 0; code < 0x80; ++code) result[code] = RegexClasses::get().of(code);
    result['\r'] |= kNewlineClass;
    result['\n'] |= kNewlineClass;
    return result;
  }();
  return classes;
}

// The end of a text is of no class.
class Scanner {
 public:
  Scanner(std::string_view text, uint32_t end)
      : text_(text.data()), end_(end), bytes_(byte_classes().data()), classes_(RegexClasses::get()) {}

  uint32_t end() const { return end_; }
  char byte(uint32_t at) const { return at < end_ ? text_[at] : '\0'; }
  bool is_ascii(uint32_t at) const { return static_cast<unsigned char>(byte(at)) < 0x80; }

  struct Char {
    uint16_t classes;
    uint32_t next;
    bool is(uint16_t wanted) const { return (classes & wanted) != 0; }
  };
  Char at(uint32_t at) const {
    if (at >= end_) return {0, at};
    const uint16_t classes = bytes_[static_cast<unsigned char>(text_[at])];
    if (classes != kNotAsciiByte) return {classes, at + 1};
    const Utf8Char here = utf8_at({text_, end_}, at);
    return {classes_.of(here.code), at + here.length};
  }

  // Behind the characters from `at` on that are of some class of `wanted`, `most` at most.
  uint32_t run(uint32_t at, uint16_t wanted) const {
    for (Char here = this->at(at); here.is(wanted); here = this->at(at)) at = here.next;
    return at;
  }
  uint32_t run(uint32_t at, uint16_t wanted, uint32_t most) const {
    for (Char here = this->at(at); most > 0 && here.is(wanted); here = this->at(at), --most) at = here.next;
    return at;
  }
  // ... that are of none.
  uint32_t run_without(uint32_t at, uint16_t unwanted) const {
    while (at < end_) {
      const Char here = this->at(at);
      if (here.is(unwanted)) break;
      at = here.next;
    }
    return at;
  }

  // \s+(?!\S)|\s+ where `at` is white space.
  uint32_t spaces(uint32_t at) const {
    uint32_t last = at, next = at;
    for (Char here = this->at(at); here.is(kSpaceClass); here = this->at(next)) {
      last = next;
      next = here.next;
    }
    return next == end_ || last == at ? next : last;
  }

  // \s*[\r\n]+|\s+(?!\S)|\s+ where `at` is white space.
  uint32_t lines_or_spaces(uint32_t at) const {
    uint32_t last = at, next = at, lines = 0;
    for (Char here = this->at(at); here.is(kSpaceClass); here = this->at(next)) {
      last = next;
      next = here.next;
      if (here.is(kNewlineClass)) lines = next;
    }
    if (lines > 0) return lines;
    return next == end_ || last == at ? next : last;
  }

 private:
  const char* text_;
  uint32_t end_;
  const uint16_t* bytes_;
  const RegexClasses& classes_;
};

// 's|'t|'re|'ve|'m|'ll|'d where `at` is the apostrophe; `at` when it is none of those.
uint32_t contraction(const Scanner& scan, uint32_t at) {
  return at + contraction_length(scan.byte(at + 1), scan.byte(at + 2));
}

// (?i:...) of the same; U+017F is an s as well.
uint32_t contraction_any_case(const Scanner& scan, uint32_t at) {
  const auto lower = [&](uint32_t place) { return static_cast<char>(scan.byte(place) | 0x20); };
  const bool long_s = scan.byte(at + 1) == '\xC5' && scan.byte(at + 2) == '\xBF';
  return long_s ? at + 3 : at + contraction_length(lower(at + 1), lower(at + 2));
}

uint32_t gpt2_match(const Scanner& scan, uint32_t at) {
  if (scan.byte(at) == '\'') {
    if (const uint32_t end = contraction(scan, at); end > at) return end;
  }
  const uint32_t begin = at + (scan.byte(at) == ' ');
  const Scanner::Char here = scan.at(begin);
  if (here.is(kLetterClass)) return scan.run(here.next, kLetterClass);
  if (here.is(kNumberClass)) return scan.run(here.next, kNumberClass);
  if (begin < scan.end() && !here.is(kSpaceClass)) return scan.run_without(here.next, kSpaceLetterOrNumber);
  return scan.spaces(at);
}

// Those of cl100k_base and its kin differ in how many digits go together.
template <uint32_t kDigits>
uint32_t cl100k_match(const Scanner& scan, uint32_t at) {
  if (scan.byte(at) == '\'') {
    if (const uint32_t end = contraction_any_case(scan, at); end > at) return end;
  }
  const Scanner::Char here = scan.at(at);
  if (here.is(kLetterClass)) return scan.run(here.next, kLetterClass);
  if (here.is(kNumberClass)) return scan.run(here.next, kNumberClass, kDigits - 1);
  const Scanner::Char next = scan.at(here.next);
  if (next.is(kLetterClass) && !here.is(kNewlineClass)) return scan.run(next.next, kLetterClass);
  const bool after_space = scan.byte(at) == ' ' && here.next < scan.end() && !next.is(kSpaceLetterOrNumber);
  if (!here.is(kSpaceClass) || after_space) {
    return scan.run(scan.run_without(here.next, kSpaceLetterOrNumber), kNewlineClass);
  }
  return scan.lines_or_spaces(at);
}

// [^\r\n\p{L}\p{N}]?U*L+|[^\r\n\p{L}\p{N}]?U+L*, where U are letters but lower ones, L letters but upper and title
// ones, and marks are both; `at` where there is no match. U* gives back what is behind the last that is both.
uint32_t cased_word(const Scanner& scan, uint32_t at) {
  const Scanner::Char first = scan.at(at);
  const uint32_t begin = first.is(kNewlineClass | kLetterOrNumber) ? at : first.next;
  uint32_t next = begin, caseless = first.is(kMarkClass) ? begin : at;
  Scanner::Char here = scan.at(next);
  for (; here.is(kNotLower); here = scan.at(next)) {
    next = here.next;
    if (here.is(kCaseless)) caseless = next;
  }
  if (here.is(kLowerClass)) return scan.run(here.next, kNotUpper);
  if (caseless > at) return caseless;
  return next > begin ? next : at;
}

template <uint32_t kDigits, bool kContractions>
uint32_t o200k_match(const Scanner& scan, uint32_t at) {
  if (const uint32_t end = cased_word(scan, at); end > at) {
    return kContractions && scan.byte(end) == '\'' ? contraction_any_case(scan, end) : end;
  }
  const Scanner::Char here = scan.at(at);
  if (here.is(kNumberClass)) return scan.run(here.next, kNumberClass, kDigits - 1);
  const Scanner::Char next = scan.at(here.next);
  const bool after_space = scan.byte(at) == ' ' && here.next < scan.end() && !next.is(kSpaceLetterOrNumber);
  if (here.is(kSpaceClass) && !after_space) return scan.lines_or_spaces(at);
  uint32_t end = scan.run_without(here.next, kSpaceLetterOrNumber);
  while (scan.byte(end) == '\r' || scan.byte(end) == '\n' || scan.byte(end) == '/') ++end;
  return end;
}

bool is_ascii_letter(char byte) { return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z'); }

// The third of DeepSeek's; `at` where there is no match.
uint32_t deepseek_match(const Scanner& scan, uint32_t at) {
  const Scanner::Char here = scan.at(at);
  if (here.is(kPunctuationOrSymbol) && here.next == at + 1 && is_ascii_letter(scan.byte(at + 1))) {
    uint32_t end = at + 2;
    while (is_ascii_letter(scan.byte(end))) ++end;
    return end;
  }
  if (here.is(kLetterClass)) return scan.run(here.next, kLetterOrMark);
  const Scanner::Char next = scan.at(here.next);
  if (!here.is(kNewlineClass | kPunctuationOrSymbol)) {
    if (next.is(kLetterOrMark)) return scan.run(next.next, kLetterOrMark);
    if (here.is(kMarkClass)) return here.next;
  }
  const bool after_space = scan.byte(at) == ' ' && next.is(kPunctuationOrSymbol);
  if (here.is(kPunctuationOrSymbol) || after_space) {
    return scan.run(scan.run(here.next, kPunctuationOrSymbol), kNewlineClass);
  }
  return here.is(kSpaceClass) ? scan.lines_or_spaces(at) : at;
}

// Appends the words between `starts`, which are counted from `at` on; returns where the last begins.
uint32_t append_words(uint32_t at, uint64_t starts, std::vector<Piece>* words) {
  uint32_t begin = at;
  for (uint64_t rest = starts & (starts - 1); rest != 0; rest &= rest - 1) {
    const uint32_t end = at + static_cast<uint32_t>(std::countr_zero(rest));
    words->push_back({{begin, end}});
    begin = end;
  }
  return begin;
}

uint32_t number_match(const Scanner& scan, uint32_t at) { return scan.run(at, kNumberClass, 3); }

// [\u4E00-\u9FA5\u3040-\u30FF]+, of three bytes each.
uint32_t cjk_match(const Scanner& scan, uint32_t at) {
  for (;; at += 3) {
    const auto lead = static_cast<unsigned char>(scan.byte(at));
    if (lead < 0xE3 || lead > 0xE9) return at;
    const auto second = static_cast<unsigned char>(scan.byte(at + 1)),
               third = static_cast<unsigned char>(scan.byte(at + 2));
    const uint32_t code = (lead & 0xFu) << 12 | (second & 0x3Fu) << 6 | (third & 0x3Fu);
    if ((code < 0x4E00 || code > 0x9FA5) && (code < 0x3040 || code > 0x30FF)) return at;
  }
}

template <uint32_t (*match)(const Scanner& scan, uint32_t at),
          uint64_t (*starts_of)(const char* text, const AsciiBlock& block)>
void cut_all(std::string_view text, Span part, std::vector<Piece>* words) {
  const Scanner scan(text, part.end);
  for (uint32_t at = part.begin; at < part.end;) {
    if (scan.is_ascii(at) && scan.is_ascii(at + 1)) {
      const std::string_view rest = text.substr(at, part.end - at);
      if (const uint64_t starts = starts_of(rest.data(), ascii_block(rest)); starts != 1) {
        at = append_words(at, starts, words);
        continue;
      }
    }
    const uint32_t end = match(scan, at);
    words->push_back({{at, end}});
    at = end;
  }
}

// What lies between matches is a word as well.
template <uint32_t (*match)(const Scanner& scan, uint32_t at)>
void cut_some(std::string_view text, Span part, std::vector<Piece>* words) {
  const Scanner scan(text, part.end);
  uint32_t begin = part.begin;
  for (uint32_t at = part.begin; at < part.end;) {
    const uint32_t end = match(scan, at);
    if (end == at) {
      at = scan.at(at).next;
      continue;
    }
    if (begin < at) words->push_back({{begin, at}});
    words->push_back({{at, end}});
    begin = at = end;
  }
  if (begin < part.end) words->push_back({{begin, part.end}});
}

constexpr KnownPattern kPatterns[] = {
    {"GPT-2", R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)",
     cut_all<gpt2_match, gpt2_starts>, CutRule::kAfterLetter, true},
    {"Llama 3",
     R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
     cut_all<cl100k_match<3>, cl100k_starts<3>>, CutRule::kAfterLetter, true},
    {"Qwen2",
     R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
     cut_all<cl100k_match<1>, cl100k_starts<1>>, CutRule::kAfterLetter, true},
    {"GPT-4o",
     R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|)"
     R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|)"
     R"(\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
     cut_all<o200k_match<3, true>, o200k_starts<3, true>>, CutRule::kAfterLetter, true},
    {"Tekken",
     R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|)"
     R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|)"
     R"(\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
     cut_all<o200k_match<1, false>, o200k_starts<1, false>>, CutRule::kAfterLetter, true},
    {"DeepSeek 1", R"(\p{N}{1,3})", cut_some<number_match>, CutRule::kAsNext, false},
    {"DeepSeek 2", "[\u4E00-\u9FA5\u3040-\u309F\u30A0-\u30FF]+", cut_some<cjk_match>, CutRule::kAsNext, false},
    {"DeepSeek 3",
     "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\r\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+| "
     "?[\\p{P}\\p{S}]+[\r\n]*|\\s*[\r\n]+|\\s+(?!\\S)|\\s+",
     cut_some<deepseek_match>, CutRule::kAfterLetter, false},
};

}  // namespace

const KnownPattern kGpt2Pattern = kPatterns[0];
const KnownPattern kLlama3Pattern = kPatterns[1];
const KnownPattern kQwen2Pattern = kPatterns[2];

std::span<const KnownPattern> known_patterns() { return kPatterns; }

const KnownPattern* find_known_pattern(std::string_view regex) {
  const auto* const found = std::find_if(std::begin(kPatterns), std::end(kPatterns),
                                         [&](const KnownPattern& pattern) { return pattern.regex == regex; });
  return found == std::end(kPatterns) ? nullptr : found;
}

}  // namespace bouquet::tokenizer
