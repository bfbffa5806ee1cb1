// Commas, escapes and numbers.
#include "base/json_writer.h"

#include <limits>

#include "gtest/gtest.h"

namespace bouquet {
namespace {

TEST(JsonWriter, NestsWithCommasWhereTheyBelong) {
  JsonWriter json;
  json.begin_object().key("a").number(int64_t{1}).key("b").begin_array().string("x").boolean(true).null().end_array();
  json.key("c").begin_object().end_object().end_object();
  EXPECT_EQ(json.view(), R"({"a":1,"b":["x",true,null],"c":{}})");
}

TEST(JsonWriter, EscapesAndRepairs) {
  JsonWriter json;
  json.string(std::string_view("q\" b\\ n\n\0 \xFF", 11));
  EXPECT_EQ(json.view(), "\"q\\\" b\\\\ n\\n\\u0000 \xEF\xBF\xBD\"");
}

TEST(JsonWriter, FloatsAreTheShortestThatReadBack) {
  JsonWriter json;
  const float values[] = {0.1f, -2.0f, 1e-10f, std::numeric_limits<float>::quiet_NaN()};
  json.floats(values);
  EXPECT_EQ(json.view(), "[0.1,-2,1e-10,null]");
}

}  // namespace
}  // namespace bouquet
