// One engine as asked, several with shares of the processors and of the quota, or exactly those that were named.
#include "cli/replica_flags.h"

#include "gtest/gtest.h"

namespace bouquet::cli {
namespace {

const rose::cpu::Topology kSix = {.processors = {0, 1, 2, 3, 4, 5}, .quota = 0};

TEST(ReplicaFlags, OneEngineIsLeftAsItIs) {
  const auto engines = *ReplicaFlags{}.engines({.threads = 3}, kSix);
  ASSERT_EQ(engines.size(), 1u);
  EXPECT_EQ(engines[0].threads, 3);
  EXPECT_TRUE(engines[0].processors.empty());
}

TEST(ReplicaFlags, SeveralShareWeightsAndNoProcessor) {
  const auto engines = *ReplicaFlags{.replicas = 3}.engines({}, kSix);
  ASSERT_EQ(engines.size(), 3u);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(engines[i].weights, engines[0].weights);
    EXPECT_EQ(engines[i].processors, (std::vector<int>{2 * i, 2 * i + 1}));
    EXPECT_EQ(engines[i].threads, 2);
  }
}

TEST(ReplicaFlags, TheQuotaIsSharedToo) {
  const auto engines = *ReplicaFlags{.replicas = 2}.engines({}, {.processors = {0, 1, 2, 3, 4, 5}, .quota = 3});
  for (const auto& engine : engines) EXPECT_EQ(engine.threads, 2);  // half of three, rounded up
}

TEST(ReplicaFlags, MoreThanProcessorsHaveAThreadEach) {
  const auto engines = *ReplicaFlags{.replicas = 7}.engines({}, kSix);
  for (const auto& engine : engines) {
    EXPECT_EQ(engine.threads, 1);
    EXPECT_TRUE(engine.processors.empty());
  }
}

TEST(ReplicaFlags, WithANumberOfThreadsTheyGoWhereTheSystemPutsThem) {
  const auto engines = *ReplicaFlags{.replicas = 3}.engines({.threads = 4}, kSix);
  for (const auto& engine : engines) {
    EXPECT_EQ(engine.threads, 4);
    EXPECT_TRUE(engine.processors.empty());
  }
}

TEST(ReplicaFlags, SetsAreReadAsWritten) {
  const auto engines = *ReplicaFlags{.processor_sets = {"0-1", "2"}}.engines({}, kSix);
  ASSERT_EQ(engines.size(), 2u);
  EXPECT_EQ(engines[0].processors, (std::vector<int>{0, 1}));
  EXPECT_EQ(engines[1].processors, std::vector<int>{2});
  EXPECT_FALSE(ReplicaFlags{.processor_sets = {"two"}}.engines({}, kSix).ok());
}

}  // namespace
}  // namespace bouquet::cli
