// Buckets, the way from cold to replayed, and eviction.
#include "tulip/graph_policy.h"

#include "gtest/gtest.h"

namespace bouquet::tulip {
namespace {

TEST(GraphKey, Buckets) {
  EXPECT_EQ(graph_key(3, 70, 33), (GraphKey{4, 128, 64}));
  EXPECT_EQ(graph_key(1, 1024, 512), (GraphKey{1, 1024, 512}));
  EXPECT_EQ(graph_key(1, 1025, 512), (GraphKey{1, 1280, 512}));
  EXPECT_FALSE(graph_key(65, 100, 2).has_value());
}

TEST(GraphPolicy, ColdWarmedCapturedReplayed) {
  GraphPolicy policy({});
  EXPECT_EQ(policy.plan(1, 10, 10).action, GraphAction::kEager);
  EXPECT_EQ(policy.plan(1, 12, 12).action, GraphAction::kCapture);
  EXPECT_EQ(policy.plan(1, 9, 9).action, GraphAction::kReplay);
  EXPECT_EQ(policy.plan(1, 900, 900).action, GraphAction::kEager);
  policy.set_inflection(512);
  EXPECT_EQ(policy.plan(1, 900, 900).action, GraphAction::kEager);
}

TEST(GraphPolicy, ModesOffAndPrecapture) {
  GraphPolicy off({.mode = GraphMode::kOff});
  GraphPolicy eager({.mode = GraphMode::kPrecapture});
  for (int i = 0; i < 3; ++i) EXPECT_EQ(off.plan(1, 10, 10).action, GraphAction::kEager);
  EXPECT_EQ(eager.plan(1, 10, 10).action, GraphAction::kCapture);
  EXPECT_EQ(eager.plan(1, 10, 10).action, GraphAction::kReplay);
}

TEST(GraphPolicy, TheLeastRecentlyUsedShapeGoes) {
  GraphPolicy policy({.max_graphs = 2});
  policy.plan(1, 10, 8);
  policy.plan(1, 100, 64);
  policy.plan(1, 10, 8);  // used again: 100 is now the oldest
  const GraphPlan plan = policy.plan(1, 200, 128);
  ASSERT_TRUE(plan.evicted.has_value());
  EXPECT_EQ(plan.evicted->tokens, 128);
  EXPECT_EQ(policy.size(), 2u);
  EXPECT_EQ(policy.plan(1, 10, 8).action, GraphAction::kReplay);
}

}  // namespace
}  // namespace bouquet::tulip
