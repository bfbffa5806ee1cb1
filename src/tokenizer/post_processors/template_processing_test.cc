// A template with a special token of two ids, and broken ones.
#include "tokenizer/post_processors/template_processing.h"

#include "gtest/gtest.h"

namespace bouquet::tokenizer {
namespace {

absl::StatusOr<PostProcessor> parse(const std::string& json) {
  simdjson::dom::parser parser;
  return make_template_processing(*JsonObject::of(parser.parse(json).value(), "post_processor"));
}

TEST(TemplateProcessing, Reads) {
  const auto made = parse(R"({"single":[{"SpecialToken":{"id":"X","type_id":3}},{"Sequence":{"id":"A","type_id":1}}],
      "pair":[{"Sequence":{"id":"B","type_id":0}},{"Sequence":{"id":"A","type_id":1}}],
      "special_tokens":{"X":{"id":"X","ids":[5,6],"tokens":["a","b"]}}})");
  ASSERT_TRUE(made.ok()) << made.status();
  EXPECT_EQ(made->single[0].ids, (std::vector<int32_t>{5, 6}));
  EXPECT_EQ(made->single[0].type_id, 3);
  EXPECT_EQ(made->pair[0].kind, TemplatePiece::kSecond);
  EXPECT_EQ(special_count(made->single), 2);
  EXPECT_EQ(special_count(made->pair), 0);
}

TEST(TemplateProcessing, NamesTheBrokenPlace) {
  EXPECT_EQ(
      parse(R"({"single":[{"Sequence":{"id":"B","type_id":0}}],"pair":[],"special_tokens":{}})").status().message(),
      "tokenizer.json: post_processor.single[0].Sequence.id is not a sequence this template has");
  EXPECT_EQ(
      parse(R"({"single":[{"SpecialToken":{"id":"X","type_id":0}}],"pair":[],"special_tokens":{}})").status().message(),
      "tokenizer.json: post_processor.special_tokens.X is missing");
}

}  // namespace
}  // namespace bouquet::tokenizer
