// Exact choices from exact loads, on a clock of the test's own.
#include "ivy/fleet/balance.h"

#include <algorithm>

#include "gtest/gtest.h"

namespace bouquet::ivy {
namespace {

using namespace std::chrono_literals;
using Outcome = Balancer::Outcome;

class Balance : public testing::Test {
 protected:
  // So many replicas, there for long.
  void have(int count) {
    for (int i = 0; i < count; ++i) balancer_.add(now_ - 100s);
  }
  std::optional<size_t> pick(uint64_t tokens, std::vector<size_t> without = {}) {
    return balancer_.pick(
        tokens, now_, [&](size_t place) { return std::find(without.begin(), without.end(), place) == without.end(); });
  }
  void finish(size_t place, uint64_t tokens, Outcome outcome, std::optional<tulip::Load> load = std::nullopt) {
    balancer_.finished(place, tokens, {outcome, load}, now_);
  }
  // The replica reports, with nothing under way.
  void report(size_t place, tulip::Load load) {
    ASSERT_EQ(balancer_.pick(0, now_, [&](size_t at) { return at == place; }), place);
    finish(place, 0, Outcome::kAnswered, load);
  }
  double wait(size_t place, uint64_t tokens) { return balancer_.expected_wait(place, tokens, now_); }

  Balancer balancer_;
  Clock::time_point now_ = Clock::time_point() + 1000s;
};

TEST_F(Balance, EqualsGoRoundRobin) {
  have(3);
  EXPECT_EQ(pick(10), 0u);
  EXPECT_EQ(pick(10), 1u);
  EXPECT_EQ(pick(10), 2u);
  EXPECT_EQ(pick(10), 0u);
}

TEST_F(Balance, TheLeastLoadedIsTaken) {
  have(3);
  EXPECT_EQ(pick(100), 0u);
  EXPECT_EQ(pick(10), 1u);
  EXPECT_EQ(pick(50), 2u);
  EXPECT_EQ(pick(10), 1u);
  finish(0, 100, Outcome::kCancelled);
  EXPECT_EQ(pick(10), 0u);
}

TEST_F(Balance, AFasterReplicaTakesMore) {
  have(2);
  report(0, {0, 1000});
  report(1, {0, 4000});
  int taken[2] = {0, 0};
  for (int i = 0; i < 50; ++i) ++taken[*pick(100)];
  EXPECT_EQ(taken[0], 10);
  EXPECT_EQ(taken[1], 40);
}

TEST_F(Balance, OthersWorkCountsUntilItIsDone) {
  have(2);
  report(0, {5000, 1000});
  report(1, {0, 1000});
  EXPECT_DOUBLE_EQ(wait(0, 1000), 6.0);
  EXPECT_EQ(pick(4000), 1u);
  EXPECT_EQ(pick(500), 1u);   // 4.5 s there, 5.5 s at the other
  EXPECT_EQ(pick(1000), 1u);  // 5.5 s there, 6 s at the other
  EXPECT_EQ(pick(1000), 0u);
  now_ += 2s;
  EXPECT_DOUBLE_EQ(wait(0, 0), 4.0);  // 3000 of others, 1000 of ours
}

TEST_F(Balance, OwnQueuedTokensAreNotCountedTwice) {
  have(1);
  pick(300);
  pick(200);
  finish(0, 200, Outcome::kAnswered, tulip::Load{300, 100});
  EXPECT_DOUBLE_EQ(wait(0, 0), 3.0);
}

TEST_F(Balance, SkipsTheUnusable) {
  have(2);
  EXPECT_EQ(pick(1, {0}), 1u);
  EXPECT_EQ(pick(1, {0}), 1u);
  EXPECT_EQ(pick(1, {0, 1}), std::nullopt);
}

TEST_F(Balance, AnUnknownRateCountsAsTheMean) {
  have(2);
  report(0, {0, 500});
  EXPECT_DOUBLE_EQ(wait(1, 1000), 2.0);
  const size_t third = balancer_.add(now_ - 100s);
  report(third, {0, 1500});
  EXPECT_DOUBLE_EQ(wait(1, 1000), 1.0);
  balancer_.remove(0);
  EXPECT_DOUBLE_EQ(wait(1, 1500), 1.0);
  balancer_.remove(third);
  EXPECT_DOUBLE_EQ(wait(1, 1000), 1000.0);  // from tokens alone
}

TEST_F(Balance, ASlowOneIsTriedAgain) {
  have(2);
  report(0, {0, 100});
  report(1, {0, 900});
  EXPECT_DOUBLE_EQ(wait(0, 1000), 10.0);
  now_ += 6s;  // its report is old
  EXPECT_DOUBLE_EQ(wait(0, 1000), 2.0);
}

TEST_F(Balance, NewcomersGetTheirShareByDegrees) {
  have(1);
  report(0, {0, 1000});
  const size_t newcomer = balancer_.add(now_);
  EXPECT_DOUBLE_EQ(wait(newcomer, 100), 1.0);  // as if at a tenth of its rate
  now_ += 5s;
  EXPECT_DOUBLE_EQ(wait(newcomer, 100), 0.2);
  now_ += 5s;
  EXPECT_DOUBLE_EQ(wait(newcomer, 100), 0.1);
}

TEST_F(Balance, OneThatFailsIsLeftOutAndTriedWithOneChunk) {
  have(2);
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(balancer_.is_left_out(0, now_));
    ASSERT_EQ(pick(1, {1}), 0u);
    finish(0, 1, Outcome::kFailed);
  }
  EXPECT_TRUE(balancer_.is_left_out(0, now_));
  EXPECT_EQ(pick(1), 1u);
  EXPECT_EQ(pick(1), 1u);
  EXPECT_EQ(pick(1, {1}), 0u);  // there is no other
  finish(0, 1, Outcome::kCancelled);
  now_ += 600ms;
  EXPECT_EQ(pick(1), 0u);  // on trial
  EXPECT_EQ(pick(100), 1u);
  EXPECT_EQ(pick(1), 1u);
  finish(0, 1, Outcome::kFailed);
  now_ += 900ms;
  EXPECT_TRUE(balancer_.is_left_out(0, now_));  // twice as long
  now_ += 200ms;
  EXPECT_EQ(pick(1), 0u);
  finish(0, 1, Outcome::kAnswered);
  EXPECT_EQ(pick(1), 0u);
  EXPECT_EQ(pick(1), 0u);
}

TEST_F(Balance, AnAnswerEndsBeingLeftOut) {
  have(2);
  for (int i = 0; i < 3; ++i) {
    pick(1, {1});
    finish(0, 1, Outcome::kFailed);
  }
  ASSERT_EQ(pick(1, {1}), 0u);
  EXPECT_TRUE(balancer_.is_left_out(0, now_));
  finish(0, 1, Outcome::kAnswered);
  EXPECT_FALSE(balancer_.is_left_out(0, now_));
}

TEST_F(Balance, ChunksThatFailTogetherLeaveItOutOnce) {
  have(2);
  for (int i = 0; i < 50; ++i) pick(1, {1});
  for (int i = 0; i < 50; ++i) finish(0, 1, Outcome::kFailed);
  EXPECT_TRUE(balancer_.is_left_out(0, now_));
  now_ += 600ms;
  EXPECT_FALSE(balancer_.is_left_out(0, now_));
}

TEST_F(Balance, OneThatStoppedToAnswerIsTakenLast) {
  have(2);
  EXPECT_EQ(pick(10), 0u);
  EXPECT_EQ(pick(1000), 1u);
  now_ += 900ms;
  finish(1, 1000, Outcome::kAnswered, tulip::Load{0, 1000});
  EXPECT_FALSE(balancer_.is_left_out(0, now_));
  now_ += 200ms;
  EXPECT_TRUE(balancer_.is_left_out(0, now_));
  EXPECT_EQ(pick(5000), 1u);
  EXPECT_EQ(pick(5000), 1u);
  finish(0, 10, Outcome::kAnswered, tulip::Load{0, 1000});
  EXPECT_EQ(pick(1), 0u);
}

TEST_F(Balance, OneThatIsFullIsLeftAloneUntilItWantsMore) {
  have(2);
  ASSERT_EQ(pick(1), 0u);
  balancer_.finished(0, 1, {.outcome = Outcome::kRefused, .retry_after = 300ms}, now_);
  EXPECT_EQ(pick(100), 1u);
  EXPECT_EQ(pick(100), 1u);
  EXPECT_EQ(pick(1, {1}), 0u);  // there is no other
  now_ += 301ms;
  EXPECT_EQ(pick(1), 0u);
  balancer_.finished(0, 1, {.outcome = Outcome::kRefused, .retry_after = 60s}, now_);
  now_ += 1100ms;
  EXPECT_EQ(pick(1), 0u);
}

TEST_F(Balance, WhereMuchIsExpectedPatienceIsLonger) {
  have(1);
  report(0, {0, 100});
  pick(1000);
  now_ += 30s;
  EXPECT_FALSE(balancer_.is_left_out(0, now_));
  now_ += 11s;  // four times the ten seconds that it needs
  EXPECT_TRUE(balancer_.is_left_out(0, now_));
}

TEST_F(Balance, PlacesAreTakenAgainOnceNothingIsUnderWay) {
  have(2);
  EXPECT_EQ(pick(1), 0u);
  balancer_.remove(0);
  EXPECT_EQ(pick(1), 1u);
  EXPECT_EQ(pick(1), 1u);
  EXPECT_EQ(balancer_.add(now_), 2u);
  finish(0, 1, Outcome::kAnswered);
  EXPECT_EQ(balancer_.add(now_), 0u);
}

TEST_F(Balance, OfManyTheBestOfAFewIsTaken) {
  have(100);
  std::vector<int> taken(100);
  for (int i = 0; i < 1000; ++i) ++taken[*pick(1)];
  EXPECT_LE(*std::max_element(taken.begin(), taken.end()), 14);  // of 10; drawn at random it would be 20
  EXPECT_GE(*std::min_element(taken.begin(), taken.end()), 4);
}

TEST_F(Balance, OfManySlowOnesGetNextToNothing) {
  have(96);
  for (size_t i = 0; i < 96; ++i) report(i, {0, i % 6 == 0 ? 100u : 1000u});
  int slow = 0;
  for (int i = 0; i < 10'000; ++i) {
    const size_t place = *pick(100);
    slow += place % 6 == 0;
    finish(place, 100, Outcome::kAnswered);
  }
  EXPECT_LT(slow, 30);  // of 10,000; the better of two it would be 270
}

}  // namespace
}  // namespace bouquet::ivy
