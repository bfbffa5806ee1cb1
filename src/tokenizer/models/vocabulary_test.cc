// Both directions, gaps, and broken ids.
#include "tokenizer/models/vocabulary.h"

#include "gtest/gtest.h"

namespace bouquet::tokenizer {
namespace {

absl::StatusOr<Vocabulary> parse(const std::string& json) {
  simdjson::dom::parser parser;
  return Vocabulary::from_json(*JsonObject::of(parser.parse(json).value(), "model.vocab"));
}

TEST(Vocabulary, BothDirections) {
  const auto vocabulary = parse(R"({"b":7,"a":0,"":3,"a":1})");
  ASSERT_TRUE(vocabulary.ok());
  EXPECT_EQ(vocabulary->id("a"), 1);
  EXPECT_EQ(vocabulary->id(""), 3);
  EXPECT_EQ(vocabulary->id("c"), std::nullopt);
  EXPECT_EQ(vocabulary->token(7), "b");
  EXPECT_EQ(vocabulary->token(2), "");
  EXPECT_EQ(vocabulary->token(-1), "");
  EXPECT_EQ(vocabulary->size(), 3);
  EXPECT_EQ(vocabulary->end_id(), 8);
}

TEST(Vocabulary, BrokenIds) {
  for (const char* json : {R"({"a":-1})", R"({"a":"b"})", R"({"a":2147483647})", R"({"a":1.5})"}) {
    EXPECT_EQ(parse(json).status().message(), "tokenizer.json: model.vocab.a is not a whole number up to 8388607");
  }
}

TEST(Vocabulary, FromAList) {
  const Vocabulary vocabulary = Vocabulary::from_list({"a", "b", "a"});
  EXPECT_EQ(vocabulary.id("a"), 2);
  EXPECT_EQ(vocabulary.token(0), "a");
  EXPECT_EQ(vocabulary.token(2), "a");
  EXPECT_EQ(vocabulary.end_id(), 3);
}

}  // namespace
}  // namespace bouquet::tokenizer
