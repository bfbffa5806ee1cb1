// Strings and runs, in texts and in tokens; other patterns are named.
#include "tokenizer/normalizers/replace.h"

#include "gtest/gtest.h"

namespace bouquet::tokenizer {
namespace {

absl::StatusOr<Replacement> parse(const std::string& kind, const std::string& pattern, const std::string& content) {
  simdjson::dom::parser parser;
  const std::string json = R"({"pattern":{")" + kind + R"(":")" + pattern + R"("},"content":")" + content + "\"}";
  return Replacement::from_json(*JsonObject::of(parser.parse(json).value(), "normalizer"));
}

std::string replaced(const absl::StatusOr<Replacement>& replacement, std::string_view original) {
  NormalizerScratch scratch;
  NormalizedText text;
  text.reset(original);
  ReplaceNormalizer(*replacement).normalize(&scratch, &text);
  return std::string(text.view());
}

TEST(Replace, StringsAndRuns) {
  EXPECT_EQ(replaced(parse("String", "ab", "x"), "ababa b"), "xxa b");
  EXPECT_EQ(replaced(parse("String", "a", "aa"), "bab"), "baab");
  EXPECT_EQ(replaced(parse("Regex", " {2,}", " "), "a   b c  "), "a b c ");
  EXPECT_EQ(replaced(parse("Regex", "é+", ""), "éaéé"), "a");
  EXPECT_EQ(replaced(parse("Regex", "a{3,}", "b"), "aa aaaa"), "aa b");
}

TEST(Replace, WhatIsPutInComesFromTheLastCharacter) {
  NormalizerScratch scratch;
  NormalizedText text;
  text.reset("a   b");
  ReplaceNormalizer(*parse("Regex", " {2,}", " ")).normalize(&scratch, &text);
  EXPECT_EQ(text.origin(1), 3);
  EXPECT_EQ(text.origin(2), 4);
}

TEST(Replace, Decodes) {
  std::vector<std::string> tokens = {"▁a▁", "b", "▁"};
  ReplaceDecoder(*parse("String", "▁", " ")).decode(&tokens);
  EXPECT_EQ(tokens, (std::vector<std::string>{" a ", "b", " "}));
}

TEST(Replace, OtherPatternsAreNamed) {
  for (const char* pattern : {"", "a", ".+", "[ab]+", "a{2}", "a{,3}", "a{x,}", "ab+", "a{0,}"}) {
    EXPECT_EQ(parse("Regex", pattern, "").status(),
              absl::UnimplementedError("tokenizer.json: normalizer.pattern.Regex \"" + std::string(pattern) +
                                       "\" is not supported"));
  }
  EXPECT_EQ(parse("String", "", "").status().message(), "tokenizer.json: normalizer.pattern.String is empty");
}

}  // namespace
}  // namespace bouquet::tokenizer
