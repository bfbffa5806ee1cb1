// Each scheme with and without splitting, added tokens among the pieces, and the old field.
#include "tokenizer/pre_tokenizers/metaspace_pre_tokenizer.h"

#include "gtest/gtest.h"

namespace bouquet::tokenizer {
namespace {

absl::StatusOr<MetaspaceOptions> parse(const std::string& json) {
  simdjson::dom::parser parser;
  return MetaspaceOptions::from_json(*JsonObject::of(parser.parse(json).value(), "pre_tokenizer"));
}

std::vector<std::string> words(const MetaspaceOptions& options, std::string_view original, bool first = true) {
  NormalizedText text;
  text.reset(original, first);
  std::vector<Piece> out;
  MetaspacePreTokenizer(options).split({{{0, static_cast<uint32_t>(original.size())}}}, &text, &out);
  std::vector<std::string> result;
  for (const Piece& word : out)
    result.emplace_back(text.view().substr(word.span.begin, word.span.end - word.span.begin));
  return result;
}

using Words = std::vector<std::string>;

TEST(Metaspace, Schemes) {
  EXPECT_EQ(words({}, "ab  c"), (Words{"▁ab", "▁", "▁c"}));
  EXPECT_EQ(words({}, " ab"), (Words{"▁ab"}));
  EXPECT_EQ(words({}, "▁ab▁c"), (Words{"▁ab", "▁c"}));
  EXPECT_EQ(words({.prepend = PrependScheme::kFirst}, "ab c"), (Words{"▁ab", "▁c"}));
  EXPECT_EQ(words({.prepend = PrependScheme::kFirst}, "ab c", false), (Words{"ab", "▁c"}));
  EXPECT_EQ(words({.prepend = PrependScheme::kNever}, "ab c"), (Words{"ab", "▁c"}));
  EXPECT_EQ(words({.split = false}, "ab c "), (Words{"▁ab▁c▁"}));
}

TEST(Metaspace, AddedTokensStayWhole) {
  NormalizedText text;
  text.reset("a b< >c");
  std::vector<Piece> out;
  MetaspacePreTokenizer({}).split({{{0, 3}}, {{3, 6}, 7}, {{6, 7}}}, &text, &out);
  EXPECT_EQ(text.view(), "▁a▁b< >▁c");
  EXPECT_EQ(out, (std::vector<Piece>{{{0, 4}}, {{4, 8}}, {{8, 11}, 7}, {{11, 15}}}));
  EXPECT_EQ(text.original_begin(11), 6);
}

TEST(Metaspace, ReadsOldFilesToo) {
  EXPECT_EQ(parse(R"({"replacement":"_","add_prefix_space":false})")->prepend, PrependScheme::kNever);
  EXPECT_EQ(parse(R"({"replacement":"_","add_prefix_space":true})")->prepend, PrependScheme::kAlways);
  EXPECT_EQ(parse(R"({"replacement":"__"})").status().message(),
            "tokenizer.json: pre_tokenizer.replacement is not one character");
  EXPECT_EQ(parse(R"({"replacement":"_","prepend_scheme":"last"})").status().message(),
            "tokenizer.json: pre_tokenizer.prepend_scheme is not always, first or never");
  EXPECT_EQ(parse(R"({"replacement":"_","prepend_scheme":"first","add_prefix_space":false})").status().message(),
            "tokenizer.json: pre_tokenizer.add_prefix_space contradicts prepend_scheme");
}

}  // namespace
}  // namespace bouquet::tokenizer
