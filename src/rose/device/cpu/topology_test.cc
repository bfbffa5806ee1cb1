// Quotas of cgroup v1 and v2, at the root and up the tree, bound the thread count.
#include "rose/device/cpu/topology.h"

#include "base/testing/scratch_folder.h"
#include "gtest/gtest.h"

namespace bouquet::rose::cpu {
namespace {

namespace fs = std::filesystem;

class TopologyTest : public testing::Test {
 protected:
  void write(const fs::path& file, const std::string& text) { root_.write(file, text); }
  Topology read() { return read_topology(root_, root_ / "self"); }
  ScratchFolder root_;
};

TEST_F(TopologyTest, NoQuotaMeansTheAffinityMask) {
  write("cpu.max", "max 100000\n");
  const Topology topology = read();
  EXPECT_EQ(topology.quota, 0);
  EXPECT_EQ(topology.threads(), static_cast<int>(topology.processors.size()));
}

TEST_F(TopologyTest, TheTightestQuotaUpTheTreeHolds) {
  write("self", "0::/pod/box\n");
  write("pod/cpu.max", "100000 100000\n");
  write("pod/box/cpu.max", "250000 100000\n");
  EXPECT_EQ(read().quota, 1.0);
  EXPECT_EQ(read().threads(), 1);
}

TEST(Processors, ListsAreRead) {
  EXPECT_EQ(*parse_processors("0-2,8,1"), (std::vector<int>{0, 1, 2, 8}));
  EXPECT_EQ(*parse_processors("3"), std::vector<int>{3});
  for (const char* bad : {"", "a", "3-1", "1-", "-1", "1,,2", "0-99999999"}) {
    EXPECT_FALSE(parse_processors(bad).ok()) << bad;
  }
}

TEST(Processors, OnlyWhatTheProcessMayUseCanBeAskedFor) {
  const Topology topology{.processors = {0, 2, 4}};
  EXPECT_EQ(narrow(topology, {2, 4})->processors, (std::vector<int>{2, 4}));
  EXPECT_EQ(narrow(topology, {})->processors, topology.processors);
  EXPECT_FALSE(narrow(topology, {1}).ok());
}

TEST(Processors, AreSharedOutEvenly) {
  const Topology topology{.processors = {0, 1, 2, 3, 4}};
  EXPECT_EQ(share_out(topology, 2), (std::vector<std::vector<int>>{{0, 1}, {2, 3, 4}}));
  EXPECT_EQ(share_out(topology, 6), std::vector<std::vector<int>>(6));
}

TEST_F(TopologyTest, CgroupV1) {
  write("cpu/cpu.cfs_quota_us", "50000\n");
  write("cpu/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(read().quota, 0.5);
  EXPECT_EQ(read().threads(), 1);
}

TEST(ChooseProcessors, AutoPinsWhereNoProcessorIsLeftOver) {
  const Topology topology{{2, 3, 7}, 0};
  EXPECT_EQ(*choose_processors("auto", topology, 3), (std::vector<int>{2, 3, 7}));
  EXPECT_TRUE(choose_processors("auto", topology, 2)->empty());
  EXPECT_TRUE(choose_processors("auto", topology, 4)->empty());
  EXPECT_TRUE(choose_processors("off", topology, 3)->empty());
  EXPECT_EQ(*choose_processors("on", topology, 2), (std::vector<int>{2, 3}));
}

TEST(ChooseProcessors, WhatCannotBeIsAnError) {
  EXPECT_FALSE(choose_processors("on", {{0, 1}, 0}, 3).ok());
  EXPECT_FALSE(choose_processors("maybe", {{0, 1}, 0}, 2).ok());
}

}  // namespace
}  // namespace bouquet::rose::cpu
