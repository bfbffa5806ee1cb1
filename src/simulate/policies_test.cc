// Whom each policy picks.
#include "simulate/policies.h"

#include <set>

#include "gtest/gtest.h"

namespace bouquet::simulate {
namespace {

using Outcome = ivy::Balancer::Outcome;

const ivy::Clock::time_point kNow = ivy::Clock::time_point() + std::chrono::hours(1);

std::unique_ptr<ivy::Balancer> balancer_of(Policy policy, int replicas) {
  auto balancer = make_balancer(policy, {});
  for (int i = 0; i < replicas; ++i) balancer->add(kNow);
  return balancer;
}

size_t pick(ivy::Balancer& balancer) {
  return *balancer.pick(10, kNow, [](size_t) { return true; });
}

TEST(Policies, HaveNames) {
  for (const Policy policy : kPolicies) EXPECT_EQ(policy_of(name_of(policy)), policy);
  EXPECT_FALSE(policy_of("best"));
}

TEST(Policies, EachFindsTheOnlyOneThatMayGo) {
  for (const Policy policy : kPolicies) {
    const auto balancer = balancer_of(policy, 50);
    EXPECT_EQ(balancer->pick(10, kNow, [](size_t place) { return place == 33; }), 33u) << name_of(policy);
    EXPECT_FALSE(balancer->pick(10, kNow, [](size_t) { return false; })) << name_of(policy);
  }
}

TEST(Policies, RoundRobinTakesTurns) {
  const auto balancer = balancer_of(Policy::kRoundRobin, 3);
  const size_t first = pick(*balancer);
  for (size_t i = 1; i < 9; ++i) EXPECT_EQ(pick(*balancer), (first + i) % 3);
}

TEST(Policies, RandomTakesAll) {
  const auto balancer = balancer_of(Policy::kRandom, 5);
  std::set<size_t> seen;
  for (int i = 0; i < 100; ++i) seen.insert(pick(*balancer));
  EXPECT_EQ(seen.size(), 5u);
}

TEST(Policies, LeastLoadedTakesTheOneWithFewestChunks) {
  const auto balancer = balancer_of(Policy::kLeastLoaded, 4);
  std::set<size_t> seen;
  for (int i = 0; i < 4; ++i) seen.insert(pick(*balancer));
  EXPECT_EQ(seen.size(), 4u);
  balancer->finished(2, 10, {Outcome::kAnswered, std::nullopt}, kNow);
  EXPECT_EQ(pick(*balancer), 2u);
}

TEST(Policies, AllLeaveOutWhatIsFull) {
  for (const Policy policy : kPolicies) {
    const auto balancer = balancer_of(policy, 2);
    const size_t full = pick(*balancer);
    balancer->finished(full, 10, {Outcome::kRefused, std::nullopt, std::chrono::seconds(1)}, kNow);
    for (int i = 0; i < 10; ++i) EXPECT_EQ(pick(*balancer), 1 - full) << name_of(policy);
  }
}

}  // namespace
}  // namespace bouquet::simulate
