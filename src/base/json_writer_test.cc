// Commas, escapes and numbers.
#include "base/json_writer.h"

#include <cmath>
#include <cstdlib>
#include <limits>
#include <vector>

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

TEST(JsonWriter, ArraysOfFloatsAreWrittenAsTheFloatsAlone) {
  std::vector<float> values = {0, -0.0f, 1, -1.17549435e-38f, 3.40282347e38f, 1e-45f, 0.1f, 16777216, NAN, INFINITY};
  for (int i = 0; i < 1000; ++i)
    values.push_back(std::sin(static_cast<float>(i)) * std::pow(10.0f, static_cast<float>(i % 60 - 30)));
  JsonWriter array, alone;
  array.floats(values);
  alone.begin_array();
  for (float value : values) alone.number(value);
  EXPECT_EQ(array.view(), alone.end_array().view());
  for (size_t i = 0, at = 1; i < values.size(); ++i, at = array.view().find(',', at) + 1) {
    if (!std::isfinite(values[i])) continue;
    EXPECT_EQ(std::strtof(array.view().c_str() + at, nullptr), values[i]);
  }
  EXPECT_EQ(JsonWriter().floats({}).view(), "[]");
}

TEST(JsonWriter, FloatsAreTheShortestThatReadBack) {
  JsonWriter json;
  const float values[] = {0.1f, -2.0f, 1e-10f, std::numeric_limits<float>::quiet_NaN()};
  json.floats(values);
  EXPECT_EQ(json.view(), "[0.1,-2,1e-10,null]");
}

}  // namespace
}  // namespace bouquet
