// The cases of the rule.
#include "tokenizer/truncation.h"

#include "gtest/gtest.h"

namespace bouquet::tokenizer {
namespace {

using Kept = std::pair<size_t, size_t>;

TEST(Truncation, LongestFirst) {
  EXPECT_EQ(longest_first(2, 4, 7, false), Kept(2, 4));
  EXPECT_EQ(longest_first(2, 8, 7, false), Kept(2, 5));
  EXPECT_EQ(longest_first(8, 2, 7, true), Kept(5, 2));
  EXPECT_EQ(longest_first(4, 4, 7, false), Kept(3, 4));
  EXPECT_EQ(longest_first(8, 4, 7, true), Kept(4, 3));
  EXPECT_EQ(longest_first(8, 8, 7, false), Kept(3, 4));
  EXPECT_EQ(longest_first(8, 8, 7, true), Kept(4, 3));
  EXPECT_EQ(longest_first(0, 8, 0, false), Kept(0, 0));
  EXPECT_EQ(longest_first(1, 1, 1, false), Kept(0, 1));
}

}  // namespace
}  // namespace bouquet::tokenizer
