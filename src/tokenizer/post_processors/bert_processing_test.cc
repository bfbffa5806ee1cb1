// Counts, types and what is refused.
#include "tokenizer/post_processors/bert_processing.h"

#include "gtest/gtest.h"

namespace bouquet::tokenizer {
namespace {

absl::StatusOr<JsonObject> object(simdjson::dom::parser* parser, const std::string& json) {
  return JsonObject::of(parser->parse(json).value(), "post_processor");
}

TEST(BertProcessing, Templates) {
  simdjson::dom::parser parser;
  const auto json = object(&parser, R"({"sep":["[SEP]",102],"cls":["[CLS]",101],"trim_offsets":true,
      "add_prefix_space":false})");
  const auto bert = make_bert_processing(*json);
  ASSERT_TRUE(bert.ok());
  EXPECT_EQ(special_count(bert->single), 2);
  EXPECT_EQ(special_count(bert->pair), 3);
  EXPECT_EQ(bert->pair.back().type_id, 1);
  const auto roberta = make_roberta_processing(*json);
  ASSERT_TRUE(roberta.ok());
  EXPECT_EQ(special_count(roberta->pair), 4);
  EXPECT_EQ(roberta->pair.back().type_id, 0);
  ASSERT_EQ(roberta->trims.size(), 1);
  EXPECT_FALSE(roberta->trims[0].add_prefix_space);
}

TEST(BertProcessing, Refuses) {
  simdjson::dom::parser parser;
  EXPECT_EQ(make_bert_processing(*object(&parser, R"({"sep":["x"],"cls":["x",1]})")).status().message(),
            "tokenizer.json: post_processor.sep is not [token, id]");
  EXPECT_EQ(make_roberta_processing(*object(&parser, R"({"trim_offsets":true})")).status().message(),
            "tokenizer.json: post_processor.add_prefix_space is missing");
}

}  // namespace
}  // namespace bouquet::tokenizer
