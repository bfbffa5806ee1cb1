// Every piece is done once, works run in order, and a team may be run many times.
#include "rose/device/cpu/team.h"

#include <numeric>

#include "gtest/gtest.h"

namespace bouquet::rose::cpu {
namespace {

TEST(Team, EachPieceOnceAndWorksInOrder) {
  for (int threads : {1, 2, 3, 5}) {
    Team team(threads, {});
    for (int round = 0; round < 200; ++round) {
      std::vector<int> first(37, 0), second(37, 0);
      const std::vector<Work> works = {[&](Worker& worker) {
                                         for (int64_t i = worker.claim(); i < 37; i = worker.claim()) first[i] += 1;
                                       },
                                       [&](Worker& worker) {
                                         for (int64_t i = worker.claim(); i < 37; i = worker.claim())
                                           second[i] = first[36 - i] + 1;
                                       }};
      team.run(works);
      EXPECT_EQ(std::accumulate(first.begin(), first.end(), 0), 37);
      EXPECT_EQ(std::accumulate(second.begin(), second.end(), 0), 74);
    }
  }
}

TEST(Team, AnEmptyListIsNothing) {
  Team team(2, {});
  team.run({});
  int ran = 0;
  const std::vector<Work> works = {[&](Worker& worker) { ran += worker.index == 0; }};
  team.run(works);
  EXPECT_EQ(ran, 1);
}

}  // namespace
}  // namespace bouquet::rose::cpu
