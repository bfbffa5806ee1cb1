// Ill-formed bytes become U+FFFD the way Unicode recommends.
#include "base/utf8.h"

#include "gtest/gtest.h"

namespace bouquet {
namespace {

TEST(Utf8, AcceptsWellFormed) {
  EXPECT_TRUE(is_valid_utf8("Hokkaid\xC5\x8D \xF0\x9F\x98\x80"));
  EXPECT_EQ(replace_invalid_utf8("\xE5\x8C\x97"), "\xE5\x8C\x97");
}

TEST(Utf8, ReplacesEachMaximalIllFormedPart) {
  EXPECT_FALSE(is_valid_utf8("\xED\xA0\x80"));
  EXPECT_EQ(replace_invalid_utf8("a\xFFz"), "a\xEF\xBF\xBDz");
  EXPECT_EQ(replace_invalid_utf8("\xE5\x8C"), "\xEF\xBF\xBD");
  EXPECT_EQ(replace_invalid_utf8("\xED\xA0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
}

}  // namespace
}  // namespace bouquet
