// What was set is found, and nothing else.
#include "tokenizer/models/pair_table.h"

#include "gtest/gtest.h"

namespace bouquet::tokenizer {
namespace {

TEST(PairTable, FindsWhatWasSet) {
  PairTable table(1000);
  for (int32_t i = 0; i < 1000; ++i) table.set(i, i * 7 % 1000, static_cast<uint32_t>(i), i + 5);
  table.set(3, 21, 1, 2);  // once more
  EXPECT_EQ(table.rank(3, 21), 1);
  for (int32_t i = 4; i < 1000; ++i) {
    const uint32_t rank = table.rank(i, i * 7 % 1000);
    EXPECT_EQ(rank, i);
    EXPECT_EQ(table.id(rank), i + 5);
    EXPECT_EQ(table.rank(i * 7 % 1000 + 1000, i), PairTable::kNever);
  }
}

TEST(PairTable, GreatestOfAll) {
  constexpr int32_t kLast = PairTable::kMostIds - 1;
  PairTable table(PairTable::kNever);
  table.set(kLast, kLast, PairTable::kNever - 1, kLast);
  table.set(kLast, 0, 0, 7);
  EXPECT_EQ(table.rank(kLast, kLast), PairTable::kNever - 1);
  EXPECT_EQ(table.id(PairTable::kNever - 1), kLast);
  EXPECT_EQ(table.rank(kLast, 0), 0);
  EXPECT_EQ(table.rank(0, kLast), PairTable::kNever);
}

TEST(PairTable, EmptyFindsNothing) { EXPECT_EQ(PairTable().rank(0, 0), PairTable::kNever); }

}  // namespace
}  // namespace bouquet::tokenizer
