// Typed access names the key and the file when it fails.
#include "rose/models/json_config.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace bouquet::rose {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(JsonConfig, TypedAccess) {
  const JsonConfig config = *JsonConfig::parse(
      R"({"n":7,"x":0.5,"s":"a","b":true,"none":null,"list":["p","q"],"map":{"z":"1","y":"2"}})", "config.json");
  EXPECT_EQ(*config.integer("n"), 7);
  EXPECT_EQ(*config.number_or("x", 0), 0.5);
  EXPECT_EQ(*config.integer_or("none", 3), 3);
  EXPECT_EQ(*config.string_or("s", ""), "a");
  EXPECT_TRUE(*config.boolean_or("b", false));
  EXPECT_THAT(*config.strings("list"), ElementsAre("p", "q"));
  EXPECT_THAT(*config.strings("s"), ElementsAre("a"));
  EXPECT_THAT(*config.string_map("map"), ElementsAre(testing::Pair("z", "1"), testing::Pair("y", "2")));
  EXPECT_FALSE(config.has("none"));
  EXPECT_THAT(std::string(config.integer("s").status().message()), HasSubstr("config.json: \"s\""));
  EXPECT_FALSE(config.elements().ok());
}

TEST(JsonConfig, IntegersPastAnyLimitAreNumbersToo) {
  const JsonConfig config = *JsonConfig::parse(
      R"({"max":1000000000000000019884624838656,"text":"1000000000000000019884624838656 \" 7","small":0.1234567890123456789012})",
      "x");
  EXPECT_EQ(*config.number_or("max", 0), 1000000000000000019884624838656.0);
  EXPECT_EQ(*config.string_or("text", ""), "1000000000000000019884624838656 \" 7");
  EXPECT_NEAR(*config.number_or("small", 0), 0.1234567890123456789012, 1e-12);
}

TEST(JsonConfig, ListsOfObjects) {
  const JsonConfig config = *JsonConfig::parse(R"([{"a":1},{"a":2}])", "modules.json");
  const auto elements = *config.elements();
  ASSERT_EQ(elements.size(), 2u);
  EXPECT_EQ(*elements[1].integer("a"), 2);
  EXPECT_FALSE(JsonConfig::parse("{", "x").ok());
}

}  // namespace
}  // namespace bouquet::rose
