// Order, ties, both scales.
#include "ivy/api/score.h"

#include <cmath>

#include "gtest/gtest.h"

namespace bouquet::ivy {
namespace {

TEST(Score, RanksDescendingTiesAscending) {
  JobResult result;
  result.row_size = 1;
  result.values = {0.5f, 2.0f, 0.5f, 2.0f, -1.0f};
  const auto raw = rank(result, true);
  const size_t order[] = {1, 3, 0, 2, 4};
  for (size_t i = 0; i < 5; ++i) EXPECT_EQ(raw[i].index, order[i]);
  EXPECT_EQ(raw[0].score, 2.0);
  const auto squashed = rank(result, false);
  for (size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(squashed[i].index, order[i]);
    EXPECT_NEAR(squashed[i].score, 1 / (1 + std::exp(-raw[i].score)), 1e-12);
  }
}

}  // namespace
}  // namespace bouquet::ivy
