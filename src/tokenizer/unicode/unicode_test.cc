// Spot checks of the tables; tests/golden/golden.py checks every code point.
#include "tokenizer/unicode/unicode.h"

#include "gtest/gtest.h"

namespace bouquet::tokenizer {
namespace {

TEST(Unicode, FlagsFollowTokenizers) {
  const UnicodeTable& table = UnicodeTable::get();
  EXPECT_TRUE(table.flags(0) & kDroppedFlag);
  EXPECT_TRUE(table.flags(0xFFFD) & kDroppedFlag);
  EXPECT_TRUE(table.flags(U'\n') & kSpacedFlag);
  EXPECT_TRUE(table.flags(U'\v') & kDroppedFlag);
  EXPECT_TRUE(table.flags(U'\v') & kWhitespaceFlag);
  EXPECT_TRUE(table.flags(U'$') & kPunctuationFlag);
  EXPECT_TRUE(table.flags(0x3002) & kPunctuationFlag);
  EXPECT_TRUE(table.flags(0x5317) & kChineseFlag);
  EXPECT_FALSE(table.flags(0x3042) & kChineseFlag);
  EXPECT_TRUE(table.flags(0x301) & kMarkFlag);
  EXPECT_TRUE(table.flags(U'_') & kWordFlag);
  EXPECT_EQ(table.flags(0x10FFFF) & kWordFlag, 0);
}

TEST(Unicode, Mappings) {
  const UnicodeTable& table = UnicodeTable::get();
  EXPECT_EQ(table.combining_class(0x301), 230);
  EXPECT_EQ(table.combining_class(0x323), 220);
  EXPECT_EQ(table.combining_class(U'a'), 0);
  EXPECT_EQ(table.lower(0xC9), 0xE9);
  EXPECT_EQ(table.lower(0x130), U'i');
  EXPECT_EQ(table.lower(U'a'), U'a');
  const auto parts = table.decomposition(0x1E69);
  ASSERT_EQ(parts.size(), 3);
  EXPECT_EQ(parts[0], U's');
  EXPECT_EQ(parts[1], 0x323);
  EXPECT_TRUE(table.decomposition(U'a').empty());
  EXPECT_TRUE(table.flags(0xAC00) & kDecomposesFlag);
}

}  // namespace
}  // namespace bouquet::tokenizer
