// What was set is found, and nothing else.
#include "tokenizer/models/pair_table.h"

#include "gtest/gtest.h"

namespace bouquet::tokenizer {
namespace {

TEST(PairTable, FindsWhatWasSet) {
  PairTable table(1000);
  for (int32_t i = 0; i < 1000; ++i) table.set(i, i * 7 % 1000, {static_cast<uint32_t>(i), i + 5});
  table.set(3, 21, {1, 2});  // once more
  EXPECT_EQ(table.find(3, 21).id, 2);
  for (int32_t i = 4; i < 1000; ++i) {
    EXPECT_EQ(table.find(i, i * 7 % 1000).id, i + 5);
    EXPECT_EQ(table.find(i * 7 % 1000 + 1000, i).rank, PairMerge::kNever);
  }
}

TEST(PairTable, EmptyFindsNothing) { EXPECT_EQ(PairTable().find(0, 0).rank, PairMerge::kNever); }

}  // namespace
}  // namespace bouquet::tokenizer
