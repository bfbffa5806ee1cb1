// So many at once, each once, none after a stop but the first.
#include "ivy/pacing.h"

#include "gtest/gtest.h"

namespace bouquet::ivy {
namespace {

TEST(Pacing, TwoForEachReplicaButAtLeastFourAndNoMoreThanThereAre) {
  EXPECT_EQ(Pacing(100, 1).at_once(), 4u);
  EXPECT_EQ(Pacing(100, 10).at_once(), 20u);
  EXPECT_EQ(Pacing(3, 10).at_once(), 3u);
}

TEST(Pacing, EachChunkGoesOnce) {
  Pacing pacing(2, 1);
  EXPECT_EQ(pacing.next(false), 0u);
  EXPECT_EQ(pacing.next(false), 1u);
  EXPECT_EQ(pacing.next(false), std::nullopt);
}

TEST(Pacing, WhenStoppedOnlyTheFirstGoes) {
  Pacing pacing(3, 1);
  EXPECT_EQ(pacing.next(true), 0u);
  EXPECT_EQ(pacing.next(true), std::nullopt);
}

}  // namespace
}  // namespace bouquet::ivy
