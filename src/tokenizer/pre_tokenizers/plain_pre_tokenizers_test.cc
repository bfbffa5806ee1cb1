// One example each, and lengths and delimiters that are refused.
#include "tokenizer/pre_tokenizers/plain_pre_tokenizers.h"

#include "gtest/gtest.h"
#include "tokenizer/testing/split_words.h"

namespace bouquet::tokenizer {
namespace {

using Words = std::vector<std::string>;

TEST(PlainPreTokenizers, CharDelimiter) {
  EXPECT_EQ(split_words(CharDelimiterPreTokenizer("x"), "xaxxb cx"), (Words{"a", "b c"}));
  EXPECT_EQ(split_words(CharDelimiterPreTokenizer("é"), "aéb"), (Words{"a", "b"}));
}

TEST(PlainPreTokenizers, FixedLength) {
  EXPECT_EQ(split_words(FixedLengthPreTokenizer(3), "hé wörl"), (Words{"hé ", "wör", "l"}));
}

TEST(PlainPreTokenizers, UnicodeScripts) {
  const UnicodeScriptsPreTokenizer scripts;
  EXPECT_EQ(split_words(scripts, " どこで生れ。Yes ab 。 北 "), (Words{"どこで生れ", "。", "Yes ab ", "。 ", "北 "}));
  EXPECT_EQ(split_words(scripts, "  "), (Words{}));
}

TEST(PlainPreTokenizers, Refuse) {
  simdjson::dom::parser parser;
  const auto json = [&](const std::string& text) { return *JsonObject::of(parser.parse(text).value(), "p"); };
  EXPECT_EQ(FixedLengthPreTokenizer::make(json(R"({"length":0})")).status().message(), "tokenizer.json: p.length is 0");
  EXPECT_EQ(CharDelimiterPreTokenizer::make(json(R"({"delimiter":"ab"})")).status().message(),
            "tokenizer.json: p.delimiter is not one character");
}

}  // namespace
}  // namespace bouquet::tokenizer
