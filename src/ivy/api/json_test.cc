// Everything that is almost JSON, and types that are almost right.
#include "ivy/api/json.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ivy/failure.h"

namespace bouquet::ivy {
namespace {

using testing::HasSubstr;

std::string refusal(std::string_view body) {
  const auto document = Document::parse(body);
  if (document.ok()) return "accepted";
  EXPECT_EQ(fault_of(document.status()), InputFault::kMalformed);
  return std::string(document.status().message());
}

TEST(Json, RefusesWhatIsAlmostJson) {
  EXPECT_THAT(refusal("\xEF\xBB\xBF{}"), HasSubstr("byte order mark"));
  EXPECT_THAT(refusal(""), HasSubstr("empty"));
  EXPECT_THAT(refusal(" \n"), HasSubstr("empty"));
  EXPECT_THAT(refusal("{} {}"), HasSubstr("follows its end"));
  EXPECT_THAT(refusal("{}x"), HasSubstr("follows its end"));
  EXPECT_THAT(refusal(R"({"a":"\ud800"})"), HasSubstr("lone surrogate"));
  EXPECT_THAT(refusal("{\"a\":\"\xFF\"}"), HasSubstr("UTF-8"));
  EXPECT_THAT(refusal(std::string_view("{\"a\":\"\0\"}", 9)), HasSubstr("control character"));
  EXPECT_NE(refusal(R"({"a":})"), "accepted");
  EXPECT_NE(refusal(R"({'a':1})"), "accepted");
  EXPECT_NE(refusal("{\"a\":\"unclosed"), "accepted");
  EXPECT_NE(refusal(std::string(5000, '[') + std::string(5000, ']')), "accepted");
  EXPECT_EQ(refusal(R"({"a":"\ud83d\ude00 \u0000"})"), "accepted");
}

TEST(Json, RefusesDuplicateKeys) {
  const auto document = Document::parse(R"({"a":1,"b":2,"a":3})");
  const auto fields = Fields::of(document->root(), "");
  EXPECT_EQ(fault_of(fields.status()), InputFault::kMalformed);
  EXPECT_THAT(std::string(fields.status().message()), HasSubstr("\"a\" stands twice"));
}

TEST(Json, ReadsTypedFields) {
  const auto document = Document::parse(R"({"s":"x","b":true,"i":3,"d":1.5,"n":null,"big":99999999999999999999})");
  EXPECT_FALSE(document.ok());
  const auto good = Document::parse(R"({"s":"x","b":true,"i":3,"d":1.5,"n":null})");
  const Fields fields = *Fields::of(good->root(), "");
  EXPECT_EQ(**fields.text("s"), "x");
  EXPECT_EQ(**fields.boolean("b"), true);
  EXPECT_EQ(**fields.integer("i"), 3);
  EXPECT_FALSE(fields.text("n")->has_value());
  EXPECT_FALSE(fields.text("absent")->has_value());
  EXPECT_THAT(std::string(fields.integer("d").status().message()),
              HasSubstr("d must be a whole number, but it is 1.5"));
  EXPECT_THAT(std::string(fields.integer("s").status().message()), HasSubstr("but it is a string"));
  EXPECT_EQ(field_of(fields.boolean("i").status()), "i");
  EXPECT_THAT(std::string(fields.require("n").status().message()), HasSubstr("missing"));
}

TEST(Json, NamesNestedFields) {
  const auto document = Document::parse(R"({"inputs":{"x":1}})");
  const Fields fields = *Fields::of(*Fields::of(document->root(), "")->find("inputs"), "inputs");
  EXPECT_EQ(field_of(fields.text("x").status()), "inputs.x");
  EXPECT_FALSE(Fields::of(Document::parse("[1]")->root(), "").ok());
  EXPECT_TRUE(document->has("inputs"));
  EXPECT_FALSE(document->has("x"));
}

TEST(Json, LooksForATextAtTheRoot) {
  const auto text = [](std::string_view body) { return std::string(Document::parse(body)->text("model")); };
  EXPECT_EQ(text(R"({"model":"a"})"), "a");
  for (const char* body : {R"({"other":"a"})", R"({"model":7})", R"({"model":null})", R"(["model"])", "7"}) {
    EXPECT_EQ(text(body), "") << body;
  }
}

}  // namespace
}  // namespace bouquet::ivy
