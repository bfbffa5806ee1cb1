// A burst at first, then the share.
#include "ivy/fleet/budget.h"

#include "gtest/gtest.h"

namespace bouquet::ivy {
namespace {

TEST(Budget, ABurstAndThenTheShare) {
  Budget budget(0.25, 3);
  int taken = 0;
  for (int i = 0; i < 10; ++i) taken += budget.take();
  EXPECT_EQ(taken, 3);
  for (int i = 0; i < 100; ++i) {
    budget.first_attempt();
    taken += budget.take();
  }
  EXPECT_EQ(taken, 3 + 25);
}

TEST(Budget, NoMoreThanTheBurstIsSaved) {
  Budget budget(0.5, 2);
  for (int i = 0; i < 100; ++i) budget.first_attempt();
  EXPECT_TRUE(budget.take());
  EXPECT_TRUE(budget.take());
  EXPECT_FALSE(budget.take());
}

}  // namespace
}  // namespace bouquet::ivy
