// There and back, and characters that are no byte.
#include "tokenizer/unicode/byte_alphabet.h"

#include "gtest/gtest.h"

namespace bouquet::tokenizer {
namespace {

TEST(ByteAlphabet, ThereAndBack) {
  for (int byte = 0; byte < 256; ++byte) {
    const char32_t code = byte_to_char(static_cast<unsigned char>(byte));
    EXPECT_EQ(char_to_byte(code), static_cast<char>(byte));
  }
  EXPECT_EQ(byte_to_char(' '), 0x120);
  EXPECT_EQ(byte_to_char(0), 0x100);
  EXPECT_EQ(byte_to_char(0xAD), 0x143);
  EXPECT_EQ(byte_to_char(0xFF), 0xFF);
}

TEST(ByteAlphabet, OthersAreNoBytes) {
  for (const char32_t code : {U' ', U'\x7F', U'\xAD', char32_t{0x144}, char32_t{0x10FFFF}}) {
    EXPECT_EQ(char_to_byte(code), std::nullopt);
  }
  EXPECT_EQ(alphabet_to_bytes("a\xC4\xA0\xC3\xA9"), "a \xE9");
  EXPECT_EQ(alphabet_to_bytes("a b"), std::nullopt);
}

}  // namespace
}  // namespace bouquet::tokenizer
