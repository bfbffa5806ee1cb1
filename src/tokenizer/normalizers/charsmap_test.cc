// Look-ups in a real map, and broken ones refused.
#include "tokenizer/normalizers/charsmap.h"

#include "absl/strings/escaping.h"
#include "gtest/gtest.h"
#include "tokenizer/testing/small_charsmap.h"

namespace bouquet::tokenizer {
namespace {

std::string map_bytes() {
  std::string bytes;
  EXPECT_TRUE(absl::Base64Unescape(kSmallCharsmap, &bytes));
  return bytes;
}

TEST(Charsmap, ShortestKeyThatTheTextBeginsWith) {
  const Charsmap map = *Charsmap::parse(map_bytes());
  EXPECT_EQ(map.find("Ａ"), "A");
  EXPECT_EQ(map.find("Ａ\u0301"), "A");
  EXPECT_EQ(map.find("e\u0301"), "é");
  EXPECT_EQ(map.find("\u200b"), "");
  EXPECT_EQ(map.find("ｶﾞ"), "カ");  // "ｶ" is a key as well, and shorter
  EXPECT_EQ(map.find("e"), std::nullopt);
  EXPECT_EQ(map.find(""), std::nullopt);
  EXPECT_EQ(map.find(std::string_view("\0", 1)), std::nullopt);
}

TEST(Charsmap, BrokenOnesAreRefused) {
  const std::string bytes = map_bytes();
  EXPECT_FALSE(Charsmap::parse("").ok());
  EXPECT_FALSE(Charsmap::parse(bytes.substr(0, 500)).ok());
  EXPECT_FALSE(Charsmap::parse(std::string(4, '\0') + "x").ok());
  EXPECT_FALSE(Charsmap::parse(bytes + "\xFF").ok());
}

TEST(Charsmap, AnyBytesAreSafe) {
  std::string bytes = map_bytes();
  for (size_t at = 4; at < bytes.size(); at += 3) {
    bytes[at] = static_cast<char>(bytes[at] ^ 0x5A);
    const auto map = Charsmap::parse(bytes);
    for (const char* text : {"Ａ", "e\u0301", "ｶﾞ", "\t", "ﷺ"}) {
      if (map.ok()) (void)map->find(text);
    }
  }
}

}  // namespace
}  // namespace bouquet::tokenizer
