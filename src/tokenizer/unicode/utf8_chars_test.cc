// Every length of character, read, written and stepped back over.
#include "tokenizer/unicode/utf8_chars.h"

#include "gtest/gtest.h"

namespace bouquet::tokenizer {
namespace {

TEST(Utf8Chars, RoundTrip) {
  for (const char32_t code : {0x0u, 0x7Fu, 0x80u, 0x7FFu, 0x800u, 0xFFFFu, 0x10000u, 0x10FFFFu}) {
    const std::string bytes = "a" + utf8_of(code) + "b";
    const Utf8Char read = utf8_at(bytes, 1);
    EXPECT_EQ(read.code, code);
    EXPECT_EQ(read.length, bytes.size() - 2);
    EXPECT_EQ(utf8_length(bytes[1]), read.length);
    EXPECT_EQ(utf8_previous(bytes, bytes.size() - 1), 1);
  }
}

}  // namespace
}  // namespace bouquet::tokenizer
