// Ranks of known lists.
#include "cli/bench/statistics.h"

#include "gtest/gtest.h"

namespace bouquet::cli {
namespace {

TEST(Summarize, NearestRank) {
  std::vector<double> values;
  for (int i = 100; i >= 1; --i) values.push_back(i);
  const Summary s = summarize(values);
  EXPECT_EQ(s.p50, 50);
  EXPECT_EQ(s.p90, 90);
  EXPECT_EQ(s.p99, 99);
  EXPECT_EQ(s.max, 100);
  EXPECT_EQ(summarize({3}).p99, 3);
  EXPECT_EQ(summarize({}).count, 0u);
}

}  // namespace
}  // namespace bouquet::cli
