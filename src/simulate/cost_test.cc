// The defaults are what docs/benchmarks.md measured.
#include "simulate/cost.h"

#include "gtest/gtest.h"

namespace bouquet::simulate {
namespace {

TEST(Cost, TheDefaultsAreWhatWasMeasured) {
  const Cost cost;
  EXPECT_NEAR(cost.batch_seconds(32), 32 / 4533.0, 0.0003);
  EXPECT_NEAR(cost.batch_seconds(64), 64 / 5252.0, 0.0004);
  EXPECT_NEAR(cost.batch_seconds(128), 128 / 5681.0, 0.0006);
  EXPECT_NEAR(cost.batch_seconds(1024), 1024 / 5952.0, 0.001);
  EXPECT_NEAR(cost.capacity(), 5557, 1);
}

}  // namespace
}  // namespace bouquet::simulate
