// Errors name the place.
#include "tokenizer/json_object.h"

#include "gtest/gtest.h"

namespace bouquet::tokenizer {
namespace {

TEST(JsonObject, ReadsAndNamesThePlace) {
  simdjson::dom::parser parser;
  const std::string json = R"({"a":{"t":"x","n":7,"f":true,"z":null,"neg":-1},"l":[1]})";
  const auto root = JsonObject::of(parser.parse(json).value(), "");
  ASSERT_TRUE(root.ok());
  const auto a = root->object("a");
  ASSERT_TRUE(a.ok());
  EXPECT_EQ(*a->text("t"), "x");
  EXPECT_EQ(*a->number("n"), 7);
  EXPECT_TRUE(*a->flag("f"));
  EXPECT_FALSE(a->find("z"));
  EXPECT_TRUE(root->array("l").ok());
  EXPECT_EQ(a->text("q").status().message(), "tokenizer.json: a.q is missing");
  EXPECT_EQ(a->text("n").status().message(), "tokenizer.json: a.n is not a string");
  EXPECT_EQ(a->flag("n").status().message(), "tokenizer.json: a.n is not true or false");
  EXPECT_EQ(a->number("neg").status().message(), "tokenizer.json: a.neg is not a whole number below 2147483647");
  EXPECT_EQ(root->object("l").status().message(), "tokenizer.json: l is not an object");
  EXPECT_EQ(a->array("n").status().message(), "tokenizer.json: a.n is not an array");
}

TEST(JsonObject, AFlagMayBeAbsentButNotAnotherKind) {
  simdjson::dom::parser parser;
  const JsonObject object =
      *JsonObject::of(parser.parse(std::string_view(R"({"on":true,"no":null,"n":1})")).value(), "a");
  EXPECT_EQ(*object.flag_or("on", false), true);
  EXPECT_EQ(*object.flag_or("no", true), true);
  EXPECT_EQ(*object.flag_or("nothing", false), false);
  EXPECT_EQ(object.flag_or("n", true).status().message(), "tokenizer.json: a.n is not true or false");
}

}  // namespace
}  // namespace bouquet::tokenizer
