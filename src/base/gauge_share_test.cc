// The gauge is the sum of its holders' values, and forgets those that have gone.
#include "base/gauge_share.h"

#include <memory>

#include "gtest/gtest.h"

namespace bouquet {
namespace {

TEST(GaugeShare, TheGaugeIsTheSumOfItsHolders) {
  Gauge gauge;
  GaugeShare a(gauge);
  auto b = std::make_unique<GaugeShare>(gauge);
  a.Set(5);
  b->Set(7);
  a.Set(3);
  EXPECT_EQ(gauge.Value(), 10);
  b.reset();
  EXPECT_EQ(gauge.Value(), 3);
}

}  // namespace
}  // namespace bouquet
