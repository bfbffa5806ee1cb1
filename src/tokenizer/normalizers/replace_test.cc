// Strings and runs, in texts and in tokens; other patterns are named.
#include "tokenizer/normalizers/replace.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tokenizer/testing/run.h"

namespace bouquet::tokenizer {
namespace {

absl::StatusOr<Replacement> parse(const std::string& kind, const std::string& pattern, const std::string& content) {
  simdjson::dom::parser parser;
  const std::string json = R"({"pattern":{")" + kind + R"(":")" + pattern + R"("},"content":")" + content + "\"}";
  return Replacement::from_json(*JsonObject::of(parser.parse(json).value(), "normalizer"));
}

std::string replaced(const absl::StatusOr<Replacement>& replacement, std::string_view original) {
  return normalize(ReplaceNormalizer(*replacement), original);
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

TEST(Replace, RegularExpressions) {
  EXPECT_EQ(replaced(parse("Regex", "[ab]+", "-"), "abxa b"), "-x- -");
  EXPECT_EQ(replaced(parse("Regex", "x*", "-"), "abxxc"), "-a-b-c-");
  EXPECT_EQ(replaced(parse("Regex", "\\\\s$", ""), "a "), "a");
}

TEST(Replace, WhatIsPutInBeforeTheTextComesFromNothing) {
  NormalizerScratch scratch;
  NormalizedText text;
  text.reset("ab");
  ReplaceNormalizer(*parse("Regex", "^", "-")).normalize(&scratch, &text);
  EXPECT_EQ(text.view(), "-ab");
  EXPECT_EQ(text.original_begin(0), 0);
  EXPECT_EQ(text.original_end(1), 0);
  EXPECT_EQ(text.original_end(2), 1);
}

TEST(Replace, KeepsBoundariesOrNot) {
  EXPECT_TRUE(parse("Regex", " {2,}", " ")->keeps_boundaries());
  EXPECT_TRUE(parse("String", "``", "-")->keeps_boundaries());
  EXPECT_FALSE(parse("String", "``", "'")->keeps_boundaries());
  EXPECT_FALSE(parse("String", " ", "▁")->keeps_boundaries());
  EXPECT_FALSE(parse("String", "-", "")->keeps_boundaries());
  EXPECT_FALSE(parse("String", "a b", "-")->keeps_boundaries());
  EXPECT_FALSE(parse("Regex", "a.", "b")->keeps_boundaries());
}

TEST(Replace, Decodes) {
  std::vector<std::string> tokens = {"▁a▁", "b", "▁"};
  ReplaceDecoder(*parse("String", "▁", " ")).decode(&tokens);
  EXPECT_EQ(tokens, (std::vector<std::string>{" a ", "b", " "}));
}

TEST(Replace, BrokenPatternsAreNamed) {
  EXPECT_THAT(std::string(parse("Regex", "(", "").status().message()),
              testing::StartsWith("tokenizer.json: normalizer.pattern.Regex \"(\" is not a regular expression"));
  EXPECT_EQ(parse("String", "", "").status().message(), "tokenizer.json: normalizer.pattern.String is empty");
}

}  // namespace
}  // namespace bouquet::tokenizer
