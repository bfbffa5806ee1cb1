// Exact choices from exact loads.
#include "ivy/balance.h"

#include "gtest/gtest.h"

namespace bouquet::ivy {
namespace {

const std::vector<bool> kAll = {true, true, true};

TEST(Balance, EqualsGoRoundRobin) {
  Balancer balancer(3);
  EXPECT_EQ(balancer.pick(10, kAll), 0u);
  EXPECT_EQ(balancer.pick(10, kAll), 1u);
  EXPECT_EQ(balancer.pick(10, kAll), 2u);
  EXPECT_EQ(balancer.pick(10, kAll), 0u);
}

TEST(Balance, TheLeastLoadedIsTaken) {
  Balancer balancer(3);
  EXPECT_EQ(balancer.pick(100, kAll), 0u);
  EXPECT_EQ(balancer.pick(10, kAll), 1u);
  EXPECT_EQ(balancer.pick(50, kAll), 2u);
  EXPECT_EQ(balancer.pick(10, kAll), 1u);
  balancer.finished(0, 100, std::nullopt);
  EXPECT_EQ(balancer.pick(10, kAll), 0u);
}

TEST(Balance, AFasterReplicaTakesMore) {
  Balancer balancer(2);
  balancer.finished(0, 0, tulip::Load{0, 1000});
  balancer.finished(1, 0, tulip::Load{0, 4000});
  int taken[2] = {0, 0};
  for (int i = 0; i < 50; ++i) ++taken[*balancer.pick(100, {true, true})];
  EXPECT_EQ(taken[0], 10);
  EXPECT_EQ(taken[1], 40);
}

TEST(Balance, OthersWorkCounts) {
  Balancer balancer(2);
  balancer.finished(0, 0, tulip::Load{5000, 1000});
  balancer.finished(1, 0, tulip::Load{0, 1000});
  EXPECT_DOUBLE_EQ(balancer.expected_wait(0, 1000), 6.0);
  EXPECT_EQ(balancer.pick(4000, {true, true}), 1u);
  EXPECT_EQ(balancer.pick(500, {true, true}), 1u);   // 4.5 s there, 5.5 s at the other
  EXPECT_EQ(balancer.pick(1000, {true, true}), 1u);  // 5.5 s there, 6 s at the other
  EXPECT_EQ(balancer.pick(1000, {true, true}), 0u);
}

TEST(Balance, OwnQueuedTokensAreNotCountedTwice) {
  Balancer balancer(1);
  balancer.pick(300, {true});
  balancer.pick(200, {true});
  balancer.finished(0, 200, tulip::Load{300, 100});
  EXPECT_DOUBLE_EQ(balancer.expected_wait(0, 0), 3.0);
}

TEST(Balance, SkipsTheUnusable) {
  Balancer balancer(2);
  EXPECT_EQ(balancer.pick(1, {false, true}), 1u);
  EXPECT_EQ(balancer.pick(1, {false, true}), 1u);
  EXPECT_EQ(balancer.pick(1, {false, false}), std::nullopt);
}

TEST(Balance, AnUnknownRateCountsAsTheMean) {
  Balancer balancer(2);
  balancer.finished(0, 0, tulip::Load{0, 500});
  EXPECT_DOUBLE_EQ(balancer.expected_wait(1, 1000), 2.0);
}

}  // namespace
}  // namespace bouquet::ivy
