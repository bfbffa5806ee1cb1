// One engine as asked, several with shares of the processors, or exactly those that were named.
#include "cli/replica_flags.h"

#include "gtest/gtest.h"
#include "rose/device/cpu/topology.h"

namespace bouquet::cli {
namespace {

TEST(ReplicaFlags, OneEngineIsLeftAsItIs) {
  const auto engines = *ReplicaFlags{}.engines({.threads = 3});
  ASSERT_EQ(engines.size(), 1u);
  EXPECT_EQ(engines[0].threads, 3);
  EXPECT_TRUE(engines[0].processors.empty());
}

TEST(ReplicaFlags, SeveralShareWeightsAndNoProcessor) {
  const size_t all = rose::cpu::read_topology().processors.size();
  const auto engines = *ReplicaFlags{.replicas = static_cast<int>(all)}.engines({});
  ASSERT_EQ(engines.size(), all);
  for (const auto& engine : engines) EXPECT_EQ(engine.weights, engines[0].weights);
  if (all > 1) EXPECT_NE(engines[0].processors, engines[1].processors);
}

TEST(ReplicaFlags, MoreThanProcessorsHaveAThreadEach) {
  const int many = static_cast<int>(rose::cpu::read_topology().processors.size()) + 1;
  const auto engines = *ReplicaFlags{.replicas = many}.engines({});
  for (const auto& engine : engines) EXPECT_EQ(engine.threads, 1);
}

TEST(ReplicaFlags, SetsAreReadAsWritten) {
  const auto engines = *ReplicaFlags{.processor_sets = {"0-1", "2"}}.engines({});
  ASSERT_EQ(engines.size(), 2u);
  EXPECT_EQ(engines[0].processors, (std::vector<int>{0, 1}));
  EXPECT_EQ(engines[1].processors, std::vector<int>{2});
  EXPECT_FALSE(ReplicaFlags{.processor_sets = {"two"}}.engines({}).ok());
}

}  // namespace
}  // namespace bouquet::cli
