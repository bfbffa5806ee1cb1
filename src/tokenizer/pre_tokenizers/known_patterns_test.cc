// Every scanner against Oniguruma with the same pattern, on random texts and on every code point.
#include "tokenizer/pre_tokenizers/known_patterns.h"

#include <random>

#include "fmt/format.h"
#include "gtest/gtest.h"
#include "tokenizer/regex.h"
#include "tokenizer/unicode/utf8_chars.h"

namespace bouquet::tokenizer {
namespace {

std::vector<Piece> cut_by_engine(const Regex& regex, std::string_view text) {
  std::vector<Piece> words;
  uint32_t done = 0;
  const auto add = [&](uint32_t end) {
    if (done < end) words.push_back({{done, end}});
    done = end;
  };
  regex.for_each_match(text, [&](size_t begin, size_t end) {
    add(static_cast<uint32_t>(begin));
    add(static_cast<uint32_t>(end));
  });
  add(static_cast<uint32_t>(text.size()));
  return words;
}

// The words and where they lie, one a line.
std::string shown(std::string_view text, const std::vector<Piece>& words) {
  std::string result;
  for (const Piece& word : words) {
    result += fmt::format("{} {}\n", word.span.begin, text.substr(word.span.begin, word.span.end - word.span.begin));
  }
  return result;
}

class KnownPatternsTest : public testing::TestWithParam<KnownPattern> {
 protected:
  void check(const std::string& text) {
    std::vector<Piece> words;
    GetParam().cut(text, {0, static_cast<uint32_t>(text.size())}, &words);
    ASSERT_EQ(shown(text, words), shown(text, cut_by_engine(*regex_, text)));
  }

  const absl::StatusOr<Regex> regex_ = Regex::compile(GetParam().regex, "p");
};

TEST_P(KnownPatternsTest, EqualTheEngine) {
  ASSERT_TRUE(regex_.ok());
  static const std::vector<std::string> parts = {
      "a",      "B",      "é",  "ǅ",    "ʰ",      "1", "22", "½",  "4444",   " ",   "  ", "\t", "\n",     "\r\n",
      "\u3000", "\u00A0", "'s", "'LL",  "'ve",    "'", "'ſ", "'r", "!",      "...", "-x", "+",  "\u0301", "北京",
      "か",     "・",     "，", "\x01", "\u200d", "😀", "_",  "/",  "\uFFFF", "A",   "s",  "t",  "e"};
  std::mt19937 random(2);
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    for (size_t n = random() % 12; n > 0; --n) text += parts[random() % parts.size()];
    ASSERT_NO_FATAL_FAILURE(check(text));
  }
}

TEST_P(KnownPatternsTest, EqualTheEngineOnAscii) {
  ASSERT_TRUE(regex_.ok());
  static const std::vector<std::string> parts = {
      "word", "Ab", "x",  "1",   "2024", " ",     " ",   " ",  "  ",   "    ", "\t", "\n", "\n\n",
      "\r\n", "\v", ", ", ".",   "'",    "'s",    "'",   "ve", "ll",   "'D",   "(",  "--", "=>",
      "_",    "/",  "//", "/\n", "ALL",  "caMel", "'Re", "\"", "\x1f", "\x7f", "s",  "!",  "\u00E9"};
  std::mt19937 random(4);
  for (int round = 0; round < 10000; ++round) {
    std::string text;
    const size_t kinds = round % 2 == 0 ? parts.size() : parts.size() - 1;
    for (size_t n = random() % 90; n > 0; --n) text += parts[random() % kinds];
    ASSERT_NO_FATAL_FAILURE(check(text));
  }
}

TEST_P(KnownPatternsTest, EqualTheEngineOnLettersOfEveryCase) {
  ASSERT_TRUE(regex_.ok());
  static const std::vector<std::string> parts = {
      "a",  "B",  "é",   "É",   "ǅ",  "ʰ",  "北", "\u0301", "\u0903", " ",   "!",   "/",   "\n", "\r",     "1", "'",
      "'s", "'S", "'Ll", "'rE", "'ſ", "ab", "AB", "aB",     "Ab",     "'ve", "'DE", "ß'm", "ª",  "\u200d", "\t"};
  std::mt19937 random(5);
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    for (size_t n = random() % 14; n > 0; --n) text += parts[random() % parts.size()];
    ASSERT_NO_FATAL_FAILURE(check(text));
  }
}

TEST_P(KnownPatternsTest, EveryCodePoint) {
  ASSERT_TRUE(regex_.ok());
  for (char32_t first = 0; first < 0x110000; first += 64) {
    if (first >= 0xD800 && first < 0xE000) continue;
    std::string text;
    for (char32_t code = first; code < first + 64; ++code)
      text += "a" + utf8_of(code) + "b 1" + utf8_of(code) + " B" + utf8_of(code) + "'s";
    ASSERT_NO_FATAL_FAILURE(check(text));
  }
}

INSTANTIATE_TEST_SUITE_P(All, KnownPatternsTest, testing::ValuesIn(known_patterns().begin(), known_patterns().end()),
                         [](const auto& test) {
                           std::string name(test.param.name);
                           std::erase_if(name, [](char c) { return c == ' ' || c == '-'; });
                           return name;
                         });

TEST(KnownPatterns, OthersAreNotKnown) {
  EXPECT_EQ(find_known_pattern("a+"), nullptr);
  EXPECT_EQ(find_known_pattern(kGpt2Pattern.regex)->name, "GPT-2");
}

}  // namespace
}  // namespace bouquet::tokenizer
