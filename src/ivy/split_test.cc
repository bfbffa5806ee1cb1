// Exact cuts: in order, nothing lost, never over the budget but for a single sequence.
#include "ivy/split.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace bouquet::ivy {
namespace {

using testing::ElementsAre;

std::vector<ChunkRange> split(std::vector<int32_t> lengths, int32_t budget) { return split_by_tokens(lengths, budget); }

TEST(Split, NothingGivesNothing) { EXPECT_TRUE(split({}, 8).empty()); }

TEST(Split, CutsAtTheBudgetInArrivalOrder) {
  EXPECT_THAT(split({3, 3, 2, 5, 4}, 8),
              ElementsAre(ChunkRange{0, 3, 0, 8}, ChunkRange{3, 1, 8, 5}, ChunkRange{4, 1, 13, 4}));
}

TEST(Split, ALongSequenceRunsAlone) {
  EXPECT_THAT(split({2, 20, 2, 2}, 8),
              ElementsAre(ChunkRange{0, 1, 0, 2}, ChunkRange{1, 1, 2, 20}, ChunkRange{2, 2, 22, 4}));
  EXPECT_THAT(split({20}, 8), ElementsAre(ChunkRange{0, 1, 0, 20}));
}

TEST(Split, NoBudgetMeansOneChunk) { EXPECT_THAT(split({5, 500, 5}, 0), ElementsAre(ChunkRange{0, 3, 0, 510})); }

TEST(Split, CoversManySequencesExactlyOnce) {
  for (size_t count : {33, 100, 270, 2048}) {
    std::vector<int32_t> lengths(count);
    for (size_t i = 0; i < count; ++i) lengths[i] = static_cast<int32_t>(1 + (i * 37) % 90);
    size_t next = 0, token = 0;
    for (const ChunkRange& chunk : split(lengths, 256)) {
      EXPECT_EQ(chunk.first, next);
      EXPECT_EQ(chunk.first_token, token);
      EXPECT_LE(chunk.tokens, 256u);
      next += chunk.count;
      token += chunk.tokens;
    }
    EXPECT_EQ(next, count);
  }
}

}  // namespace
}  // namespace bouquet::ivy
