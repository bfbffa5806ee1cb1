// Order, budgets and shares, exactly.
#include "tulip/scheduler.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace bouquet::tulip {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::IsEmpty;

const Clock::time_point kStart = Clock::time_point(std::chrono::hours(1));

QueuedSequence sequence(int32_t index, int32_t tokens, Lane lane = Lane::kOnline) {
  return {nullptr, index, 0, tokens, lane, kStart};
}

std::vector<int32_t> indexes(const std::vector<QueuedSequence>& batch) {
  std::vector<int32_t> result;
  for (const auto& s : batch) result.push_back(s.index);
  return result;
}

TEST(Scheduler, FirstComeFirstServedUpToTheBudget) {
  Scheduler scheduler({.mixed_budget = 100});
  for (int i = 0; i < 4; ++i) scheduler.push(sequence(i, 40), kStart);
  EXPECT_EQ(scheduler.queued_tokens(), 160);
  EXPECT_THAT(indexes(scheduler.take(kStart)), ElementsAre(0, 1));
  EXPECT_THAT(indexes(scheduler.take(kStart)), ElementsAre(2, 3));
  EXPECT_THAT(indexes(scheduler.take(kStart)), IsEmpty());
  EXPECT_EQ(scheduler.queued_tokens(), 0);
}

TEST(Scheduler, OrderIsNeverChangedToFillABatch) {
  Scheduler scheduler({.mixed_budget = 100});
  scheduler.push(sequence(0, 60), kStart);
  scheduler.push(sequence(1, 60), kStart);
  scheduler.push(sequence(2, 10), kStart);
  EXPECT_THAT(indexes(scheduler.take(kStart)), ElementsAre(0));
  EXPECT_THAT(indexes(scheduler.take(kStart)), ElementsAre(1, 2));
}

TEST(Scheduler, ASequenceOverTheBudgetRunsAlone) {
  Scheduler scheduler({.mixed_budget = 100});
  scheduler.push(sequence(0, 500), kStart);
  scheduler.push(sequence(1, 1), kStart);
  EXPECT_THAT(indexes(scheduler.take(kStart)), ElementsAre(0));
  EXPECT_THAT(indexes(scheduler.take(kStart)), ElementsAre(1));
}

TEST(Scheduler, OnlineGoesFirstAndBulkFillsTheRest) {
  Scheduler scheduler({.mixed_budget = 100, .bulk_share = 0.25});
  for (int i = 0; i < 3; ++i) scheduler.push(sequence(i, 50, Lane::kBulk), kStart);
  scheduler.push(sequence(10, 20), kStart);
  EXPECT_THAT(indexes(scheduler.take(kStart)), ElementsAre(10, 0));
}

TEST(Scheduler, BulkKeepsItsShareUnderAnOnlineFlood) {
  Scheduler scheduler({.mixed_budget = 100, .bulk_share = 0.25});
  scheduler.push(sequence(1000, 75, Lane::kBulk), kStart);
  for (int i = 0; i < 40; ++i) scheduler.push(sequence(i, 50), kStart);
  int batches = 0;
  for (bool seen = false; !seen; ++batches) {
    for (const auto& s : scheduler.take(kStart)) seen |= s.index == 1000;
  }
  EXPECT_EQ(batches, 3);  // 3 x 25 tokens of credit
}

TEST(Scheduler, TheShareIsOfTokensHoweverShortTheTexts) {
  Scheduler scheduler({.mixed_budget = 100, .bulk_share = 0.25});
  for (int i = 0; i < 100; ++i) scheduler.push(sequence(1000 + i, 5, Lane::kBulk), kStart);
  for (int i = 0; i < 300; ++i) scheduler.push(sequence(i, 5), kStart);
  int bulk = 0;
  for (int batch = 0; batch < 10; ++batch) {
    for (const auto& s : scheduler.take(kStart)) bulk += s.index >= 1000;
  }
  EXPECT_EQ(bulk * 5, 10 * 25);
}

TEST(Scheduler, ManyShortBulkTextsDoNotTakeEveryPlace) {
  Scheduler scheduler({.mixed_budget = 256, .max_sequences = 16, .bulk_share = 0.25});
  for (int i = 0; i < 1000; ++i) scheduler.push(sequence(1000 + i, 4, Lane::kBulk), kStart);
  for (int i = 0; i < 120; ++i) scheduler.push(sequence(i, 4), kStart);
  for (int batch = 0; batch < 10; ++batch) {
    int online = 0;
    for (const auto& s : scheduler.take(kStart)) online += s.index < 1000;
    EXPECT_EQ(online, 12) << batch;  // three quarters of the places
  }
}

TEST(Scheduler, NoShareMakesABatchLargerThanItsBudget) {
  Scheduler scheduler({.mixed_budget = 1000, .bulk_budget = 1000, .max_sequences = 64, .bulk_share = 1});
  for (int i = 0; i < 2000; ++i) scheduler.push(sequence(1000 + i, i < 1900 ? 3 : 500, Lane::kBulk), kStart);
  for (int i = 0; i < 100; ++i) scheduler.push(sequence(i, 300), kStart);
  while (!scheduler.empty()) {
    int64_t tokens = 0;
    for (const auto& s : scheduler.take(kStart)) tokens += s.tokens;
    ASSERT_LE(tokens, 1000);
  }
}

TEST(Scheduler, BatchesAreLargerWhenNobodyIsOnline) {
  Scheduler scheduler({.mixed_budget = 100, .bulk_budget = 400, .online_memory = milliseconds(1000)});
  for (int i = 0; i < 20; ++i) scheduler.push(sequence(i, 100, Lane::kBulk), kStart);
  EXPECT_EQ(scheduler.take(kStart).size(), 4u);
  scheduler.push(sequence(100, 10), kStart);
  EXPECT_THAT(indexes(scheduler.take(kStart)), ElementsAre(100));
  EXPECT_EQ(scheduler.take(kStart + milliseconds(500)).size(), 1u);
  EXPECT_EQ(scheduler.take(kStart + milliseconds(1500)).size(), 4u);
}

TEST(Scheduler, OneLaneIsAPlainQueue) {
  Scheduler scheduler({.mixed_budget = 100, .lanes = 1});
  scheduler.push(sequence(0, 90, Lane::kBulk), kStart);
  scheduler.push(sequence(1, 20), kStart);
  EXPECT_THAT(indexes(scheduler.take(kStart)), ElementsAre(0));
}

TEST(Scheduler, SequencesABatchAreBounded) {
  Scheduler scheduler({.mixed_budget = 100, .max_sequences = 3});
  for (int i = 0; i < 5; ++i) scheduler.push(sequence(i, 1), kStart);
  EXPECT_EQ(scheduler.take(kStart).size(), 3u);
  EXPECT_EQ(scheduler.take_all().size(), 2u);
  EXPECT_TRUE(scheduler.empty());
}

}  // namespace
}  // namespace bouquet::tulip
