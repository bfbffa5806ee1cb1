// The scan and the heap against joining the first least pair over and over; long words in little time.
#include "tokenizer/models/symbols.h"

#include <random>

#include "gtest/gtest.h"

namespace bouquet::tokenizer {
namespace {

std::vector<Symbol> symbols_of(const std::vector<int32_t>& ids) {
  std::vector<Symbol> symbols;
  for (const int32_t id : ids) symbols.push_back({id, static_cast<uint32_t>(symbols.size())});
  return symbols;
}

std::vector<Symbol> merged_plainly(const PairTable& table, std::vector<Symbol> symbols) {
  for (;;) {
    size_t best = 0;
    PairMerge least;
    for (size_t i = 0; i + 1 < symbols.size(); ++i) {
      const PairMerge merge = table.find(symbols[i].id, symbols[i + 1].id);
      if (merge.rank >= least.rank) continue;
      least = merge;
      best = i;
    }
    if (least.rank == PairMerge::kNever) return symbols;
    symbols[best].id = least.id;
    symbols.erase(symbols.begin() + static_cast<std::ptrdiff_t>(best) + 1);
  }
}

TEST(Symbols, EveryLengthEqualsThePlainWay) {
  std::mt19937 random(3);
  for (int round = 0; round < 300; ++round) {
    PairTable table(60);
    int32_t next = 3;
    for (uint32_t rank = 0; rank < 40; ++rank) {
      const auto any = [&] { return static_cast<int32_t>(random() % static_cast<uint32_t>(next)); };
      const int32_t left = any(), right = any();
      if (table.find(left, right).rank == PairMerge::kNever) table.set(left, right, {rank * 7919 % 41, next++});
    }
    std::vector<int32_t> ids(random() % 120);
    for (int32_t& id : ids) id = static_cast<int32_t>(random() % 3);
    std::vector<Symbol> symbols = symbols_of(ids);
    const std::vector<Symbol> expected = merged_plainly(table, symbols);
    merge_symbols(table, &symbols);
    ASSERT_EQ(symbols.size(), expected.size());
    for (size_t i = 0; i < symbols.size(); ++i) {
      ASSERT_EQ(symbols[i].id, expected[i].id);
      ASSERT_EQ(symbols[i].begin, expected[i].begin);
    }
  }
}

TEST(Symbols, LongWordsAreNotQuadratic) {
  PairTable table(20);
  for (int32_t i = 0; i < 20; ++i) table.set(i, i, {static_cast<uint32_t>(i), i + 1});
  std::vector<Symbol> symbols = symbols_of(std::vector<int32_t>(1 << 20, 0));
  merge_symbols(table, &symbols);
  ASSERT_EQ(symbols.size(), 1);
  EXPECT_EQ(symbols[0].id, 20);
}

}  // namespace
}  // namespace bouquet::tokenizer
