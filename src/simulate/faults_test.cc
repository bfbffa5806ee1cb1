// As many as wanted, in order, within the time.
#include "simulate/faults.h"

#include <algorithm>

#include "gtest/gtest.h"

namespace bouquet::simulate {
namespace {

TEST(Faults, AsManyAsWantedInTheOrderOfTime) {
  const auto faults = plan_faults({.crashes = 2, .slow_spells = 0.5}, 10, 100);
  const auto count = [&](FaultKind kind) {
    return std::count_if(faults.begin(), faults.end(), [&](const Fault& fault) { return fault.kind == kind; });
  };
  EXPECT_EQ(count(FaultKind::kCrash) + count(FaultKind::kVanish), 20);
  EXPECT_GT(count(FaultKind::kCrash), 3);
  EXPECT_GT(count(FaultKind::kVanish), 3);
  EXPECT_EQ(count(FaultKind::kSlow), 5);
  EXPECT_TRUE(std::is_sorted(faults.begin(), faults.end(), [](const auto& a, const auto& b) { return a.at < b.at; }));
  for (const Fault& fault : faults) {
    EXPECT_LT(fault.replica, 10u);
    EXPECT_LT(fault.at, std::chrono::seconds(100));
  }
}

TEST(Faults, NoneWhereNoneAreWanted) { EXPECT_TRUE(plan_faults({.crashes = 0, .slow_spells = 0}, 1000, 100).empty()); }

}  // namespace
}  // namespace bouquet::simulate
