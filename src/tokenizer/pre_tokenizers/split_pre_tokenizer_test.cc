// Strings and expressions, inverted ones, and what is refused.
#include "tokenizer/pre_tokenizers/split_pre_tokenizer.h"

#include "gtest/gtest.h"
#include "tokenizer/testing/split_words.h"

namespace bouquet::tokenizer {
namespace {

using Words = std::vector<std::string>;

absl::StatusOr<std::unique_ptr<const PreTokenizer>> make(const std::string& json) {
  simdjson::dom::parser parser;
  return SplitPreTokenizer::make(*JsonObject::of(parser.parse(json).value(), "pre_tokenizer"));
}

Words words(const std::string& json, std::string_view text) { return split_words(**make(json), text); }

TEST(SplitPreTokenizer, Patterns) {
  EXPECT_EQ(words(R"({"pattern":{"String":"."},"behavior":"Removed","invert":false})", "x.y"), (Words{"x", "y"}));
  EXPECT_EQ(words(R"({"pattern":{"Regex":"[0-9]"},"behavior":"Isolated","invert":false})", "a12"),
            (Words{"a", "1", "2"}));
  EXPECT_EQ(words(R"({"pattern":{"Regex":"[0-9]"},"behavior":"Removed","invert":true})", "a12b"), (Words{"1", "2"}));
}

TEST(SplitPreTokenizer, KnownPatternsHaveRules) {
  const std::string known = R"({"pattern":{"Regex":"\\p{N}{1,3}"},"behavior":)";
  EXPECT_EQ((*make(known + R"("Isolated","invert":false})"))->cut_rule(), CutRule::kAsNext);
  EXPECT_EQ((*make(known + R"("Removed","invert":true})"))->cut_rule(), CutRule::kNowhere);
  EXPECT_EQ(words(known + R"("Removed","invert":true})", "a1234"), (Words{"123", "4"}));
}

TEST(SplitPreTokenizer, BrokenFilesAreNamed) {
  EXPECT_EQ(make(R"({"pattern":{"String":"."},"behavior":"Other","invert":false})").status().message(),
            "tokenizer.json: pre_tokenizer.behavior is not Removed, Isolated, MergedWithPrevious, MergedWithNext or "
            "Contiguous");
  EXPECT_TRUE(
      absl::IsInvalidArgument(make(R"({"pattern":{"Regex":"["},"behavior":"Removed","invert":false})").status()));
}

}  // namespace
}  // namespace bouquet::tokenizer
