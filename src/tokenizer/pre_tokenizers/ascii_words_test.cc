// Blocks by hand; that whole texts are cut as the patterns do is for known_patterns_test.cc.
#include "tokenizer/pre_tokenizers/ascii_words.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace bouquet::tokenizer {
namespace {

// The text with a | where a word begins.
template <uint64_t (*starts_of)(const char* text, const AsciiBlock& block)>
std::string cut(std::string_view text) {
  const uint64_t starts = starts_of(text.data(), ascii_block(text));
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    if (i < 64 && (starts >> i & 1) != 0) result += '|';
    result += text[i];
  }
  return result;
}

constexpr auto gpt2 = cut<gpt2_starts>;
constexpr auto qwen2 = cut<cl100k_starts<1>>;
constexpr auto llama3 = cut<cl100k_starts<3>>;
constexpr auto llama4 = cut<o200k_starts<3, true>>;
constexpr auto tekken = cut<o200k_starts<1, false>>;

TEST(AsciiWords, Gpt2) {
  EXPECT_EQ(gpt2("it's 12 of, 'em  all.\n\n x"), "|it|'s| 12| of|,| '|em| | all|.|\n\n| x");
  EXPECT_EQ(gpt2("'sto 'sto 'LL"), "|'s|to| '|sto| '|LL");
}

TEST(AsciiWords, Cl100k) {
  EXPECT_EQ(qwen2("it's 12 (of), ;x\t.y  z"), "|it|'s| |1|2| (|of|),| ;|x|\t|.y| | z");
  EXPECT_EQ(qwen2("a\n  \n b,\n\n  \n\tc"), "|a|\n  \n| b|,\n\n|  \n|\tc");
  EXPECT_EQ(qwen2("'REx'll"), "|'RE|x|'ll");
  EXPECT_EQ(llama3("1234567 12 3x4567"), "|123|456|7| |12| |3|x|456|7");
}

TEST(AsciiWords, O200k) {
  EXPECT_EQ(llama4("HTMLParser aCamel AB,Cd  12345"), "|HTMLParser| a|Camel| AB|,Cd| | |123|45");
  EXPECT_EQ(llama4("it's's's IT'LLx 'sA's it'x "), "|it's|'s's| IT'LL|x| '|s|A's| it|'x| ");
  EXPECT_EQ(llama4("a!/\n/\n/b /c //d\n/e"), "|a|!/\n/\n/|b| /|c| //|d|\n|/e");
  EXPECT_EQ(tekken("it's 12 IT'LL a.b/\n/ c"), "|it|'s| |1|2| IT|'LL| a|.b|/\n/| c");
}

TEST(AsciiWords, WhatFollowsTheBlockIsNotGuessed) {
  const std::string word(61, 'a');
  EXPECT_EQ(qwen2(word + "\n  \nb"), "|" + word + "|\n  \nb");
  EXPECT_EQ(gpt2(word + " 'll"), "|" + word + "| '|ll");
  EXPECT_EQ(gpt2(word + "!'ll"), "|" + word + "|!'|ll");
  EXPECT_EQ(gpt2(word + "a'll"), "|" + word + "a|'ll");
  EXPECT_EQ(llama4(word + "b'l"), "|" + word + "b'l");
  EXPECT_EQ(llama4(word + "b'x"), "|" + word + "b'x");
  EXPECT_EQ(llama4("ab'\u017F"), "|ab'\u017F");
  EXPECT_EQ(qwen2("ab\n  \u00E9"), "|ab|\n  \u00E9");
  EXPECT_EQ(ascii_block("ab \u00E9 cd").known, 7);
  EXPECT_EQ(ascii_block("").known, 0);
}

}  // namespace
}  // namespace bouquet::tokenizer
