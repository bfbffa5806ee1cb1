// Ranges are counted from the end of the last one; flags add up.
#include "tokenizer/unicode/code_point_flags.h"

#include "gtest/gtest.h"

namespace bouquet::tokenizer {
namespace {

TEST(CodePointFlags, RangesAndSingleOnes) {
  CodePointFlags flags;
  constexpr uint32_t kGaps[] = {254, 4, 0x10000, 1};
  flags.add_ranges(kGaps, 1);
  flags.add(257, 2);
  EXPECT_EQ(flags[253], 0);
  EXPECT_EQ(flags[254], 1);
  EXPECT_EQ(flags[257], 3);
  EXPECT_EQ(flags[258], 0);
  EXPECT_EQ(flags[258 + 0x10000], 1);
  EXPECT_EQ(flags[0x10FFFF], 0);
}

}  // namespace
}  // namespace bouquet::tokenizer
