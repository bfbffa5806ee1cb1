// Exact percentiles of the last 256.
#include "ivy/fleet/quantile.h"

#include "gtest/gtest.h"

namespace bouquet::ivy {
namespace {

TEST(RecentP95, NothingBeforeEnoughWasSeen) {
  RecentP95 p95;
  for (int i = 0; i < 31; ++i) p95.add(1);
  EXPECT_EQ(p95.value(), std::nullopt);
  p95.add(1);
  EXPECT_EQ(p95.value(), 1.0);
}

TEST(RecentP95, FollowsWhatIsSeen) {
  RecentP95 p95;
  for (int i = 1; i <= 96; ++i) p95.add(i);
  EXPECT_EQ(p95.value(), 92.0);
  for (int i = 0; i < 256; ++i) p95.add(5);
  EXPECT_EQ(p95.value(), 5.0);
}

}  // namespace
}  // namespace bouquet::ivy
