// What is written reads back.
#include "tokenizer/loading/json_text.h"

#include "gtest/gtest.h"
#include "simdjson.h"

namespace bouquet::tokenizer {
namespace {

TEST(JsonText, RoundTrip) {
  const std::string text = std::string("a\"b\\c\n\x01/\0", 9) + "\u00E9\u2028";
  simdjson::dom::parser parser;
  EXPECT_EQ(std::string_view(parser.parse("[" + json_quoted(text) + "]").at(0)), text);
}

}  // namespace
}  // namespace bouquet::tokenizer
