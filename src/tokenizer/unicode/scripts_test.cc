// Which characters are of one script.
#include "tokenizer/unicode/scripts.h"

#include "gtest/gtest.h"

namespace bouquet::tokenizer {
namespace {

TEST(Scripts, TellsThemApart) {
  EXPECT_EQ(scripts()[U' '], 0);
  EXPECT_EQ(scripts()[U'a'], scripts()[0xE9]);
  EXPECT_EQ(scripts()[0x4EAC], scripts()[0x3042]);
  EXPECT_EQ(scripts()[0x4EAC], scripts()[0x30FC]);
  EXPECT_EQ(scripts()[U'1'], scripts()[U'\t']);
  EXPECT_NE(scripts()[U'a'], scripts()[0x3B1]);
  EXPECT_NE(scripts()[U'a'], scripts()[U'1']);
}

}  // namespace
}  // namespace bouquet::tokenizer
