// Matches, classes newer than the library's own, and patterns that do not compile.
#include "tokenizer/regex.h"

#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace bouquet::tokenizer {
namespace {

std::vector<std::pair<size_t, size_t>> matches(std::string_view pattern, std::string_view text) {
  const auto regex = Regex::compile(pattern, "p");
  EXPECT_TRUE(regex.ok()) << regex.status();
  std::vector<std::pair<size_t, size_t>> found;
  if (regex.ok()) regex->for_each_match(text, [&](size_t begin, size_t end) { found.emplace_back(begin, end); });
  return found;
}

using Places = std::vector<std::pair<size_t, size_t>>;

TEST(Regex, Matches) {
  EXPECT_EQ(matches("a+", "aab a"), (Places{{0, 2}, {4, 5}}));
  EXPECT_EQ(matches("(?<=a)b", "bab"), (Places{{2, 3}}));
  EXPECT_EQ(matches("", "\xC3\xA9x"), (Places{{0, 0}, {2, 2}, {3, 3}}));
  EXPECT_EQ(matches("a|", "xa"), (Places{{0, 0}, {1, 2}}));
}

TEST(Regex, ClassesAreThoseOfTokenizers) {
  constexpr std::string_view kGarayLetter = "\xF0\x90\xB5\x90";  // U+10D50, Unicode 16
  for (const std::string_view pattern : {"\\p{L}", "\\p{Lu}", "[^\\P{L}]", "\\w", "[\\w]", "[^\\W\\d]"}) {
    EXPECT_EQ(matches(pattern, kGarayLetter).size(), 1) << pattern;
  }
  EXPECT_EQ(matches("\\\\w", "\\w").size(), 1);
  EXPECT_EQ(matches("\\d\\D", "1x").size(), 1);
}

TEST(Regex, BrokenPatternsAreNamed) {
  const auto status = Regex::compile("(a", "pre_tokenizer.pattern.Regex").status();
  EXPECT_TRUE(absl::IsInvalidArgument(status));
  EXPECT_EQ(
      status.message(),
      "tokenizer.json: pre_tokenizer.pattern.Regex \"(a\" is not a regular expression: end pattern with unmatched "
      "parenthesis");
}

TEST(Regex, EscapedIsLiteral) { EXPECT_EQ(matches(regex_escape("a.b*"), "a.b* axb*"), (Places{{0, 4}})); }

}  // namespace
}  // namespace bouquet::tokenizer
