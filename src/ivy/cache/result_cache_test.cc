// Each row is run once; whoever waits gets it, fails alone, or runs it itself.
#include "ivy/cache/result_cache.h"

#include <deque>
#include <thread>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace bouquet::ivy {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::SizeIs;

// A row is {first id of its sequence, length}.
tulip::Reply reply_to(const tulip::Chunk& chunk) {
  tulip::Reply reply{.row_size = 2};
  size_t first = 0;
  for (const int32_t length : chunk.lengths) {
    reply.values.push_back(static_cast<float>(chunk.ids[first]));
    reply.values.push_back(static_cast<float>(length));
    first += static_cast<size_t>(length);
  }
  return reply;
}

// An errand of sequences of one id each, and how it ended.
struct Sent {
  std::shared_ptr<std::optional<absl::StatusOr<tulip::Reply>>> end =
      std::make_shared<std::optional<absl::StatusOr<tulip::Reply>>>();
  bool is_done() const { return end->has_value(); }
  const absl::StatusOr<tulip::Reply>& reply() const { return **end; }
};

class ResultCacheTest : public testing::Test {
 protected:
  Sent send(std::vector<int32_t> ids, tulip::Lane lane = tulip::Lane::kOnline,
            tulip::Clock::time_point deadline = tulip::Clock::time_point::max()) {
    Sent sent;
    cache_.run({.chunk = [ids] { return tulip::Chunk{.ids = ids, .lengths = std::vector<int32_t>(ids.size(), 1)}; },
                .tokens = ids.size(),
                .lane = lane,
                .options = {.deadline = deadline, .cancelled = {}},
                .done =
                    [end = sent.end](absl::StatusOr<tulip::Reply> reply) {
                      ASSERT_FALSE(end->has_value());
                      *end = std::move(reply);
                    }});
    return sent;
  }
  // Ends the oldest run that has not ended.
  void answer() {
    Errand errand = std::move(runs_.front());
    runs_.pop_front();
    errand.done(reply_to(errand.chunk()));
  }
  void answer_with(absl::StatusOr<tulip::Reply> reply) {
    Errand errand = std::move(runs_.front());
    runs_.pop_front();
    errand.done(std::move(reply));
  }

  std::deque<Errand> runs_;
  ResultCache cache_{{.most_bytes = 1 << 20}, [this](Errand errand) { runs_.push_back(std::move(errand)); }};
};

TEST_F(ResultCacheTest, WhatIsKeptIsNotRunAgain) {
  const Sent first = send({5, 6});
  ASSERT_THAT(runs_, SizeIs(1));
  EXPECT_EQ(runs_[0].tokens, 2u);
  answer();
  EXPECT_THAT(first.reply()->values, ElementsAre(5, 1, 6, 1));
  const Sent mixed = send({6, 7, 5});
  ASSERT_THAT(runs_, SizeIs(1));
  EXPECT_THAT(runs_[0].chunk().ids, ElementsAre(7));
  answer();
  EXPECT_THAT(mixed.reply()->values, ElementsAre(6, 1, 7, 1, 5, 1));
  const Sent known = send({5});
  EXPECT_THAT(runs_, SizeIs(0));
  EXPECT_THAT(known.reply()->values, ElementsAre(5, 1));
}

TEST_F(ResultCacheTest, TwinsInOneErrandAreRunOnce) {
  const Sent twins = send({5, 5, 6, 5});
  EXPECT_THAT(runs_[0].chunk().ids, ElementsAre(5, 6));
  answer();
  EXPECT_THAT(twins.reply()->values, ElementsAre(5, 1, 5, 1, 6, 1, 5, 1));
}

TEST_F(ResultCacheTest, JoinsWhatIsUnderWay) {
  const Sent first = send({5}), second = send({5, 6}), third = send({5});
  ASSERT_THAT(runs_, SizeIs(2));
  EXPECT_THAT(runs_[1].chunk().ids, ElementsAre(6));
  answer();
  EXPECT_TRUE(first.is_done() && third.is_done());
  EXPECT_FALSE(second.is_done());
  answer();
  EXPECT_THAT(second.reply()->values, ElementsAre(5, 1, 6, 1));
}

TEST_F(ResultCacheTest, WhereTheOtherFailsThoseWhoWaitRunItThemselves) {
  const Sent first = send({5}), second = send({5}), third = send({5});
  answer_with(absl::CancelledError("left"));
  EXPECT_TRUE(absl::IsCancelled(first.reply().status()));
  ASSERT_THAT(runs_, SizeIs(2));  // not one after the other: were they to fail too, all would know at once
  answer();
  answer();
  EXPECT_TRUE(second.reply().ok());
  EXPECT_THAT(third.reply()->values, ElementsAre(5, 1));
}

TEST_F(ResultCacheTest, AnErrandThatHasFailedTakesNothingMore) {
  const Sent other = send({5});
  const Sent both = send({5, 6});  // waits for 5, runs 6
  std::swap(runs_[0], runs_[1]);
  answer_with(absl::UnavailableError("gone"));
  EXPECT_FALSE(both.reply().ok());
  answer();  // 5, which `both` no longer wants
  EXPECT_TRUE(other.reply().ok());
  EXPECT_THAT(runs_, SizeIs(0));
}

TEST_F(ResultCacheTest, ATwinOfWhatFailedIsNotRunAgainForAnAnsweredErrand) {
  const Sent twins = send({5, 5});
  answer_with(absl::UnavailableError("gone"));
  EXPECT_FALSE(twins.reply().ok());
  EXPECT_THAT(runs_, SizeIs(0));
}

TEST_F(ResultCacheTest, OneSequencesFailureIsToldToAllWhoWant) {
  const Sent sent = send({5, 6}), waits = send({5});
  tulip::Reply reply{.values = {0, 0, 6, 1}, .row_size = 2, .failures = {{0, absl::InternalError("NaN")}}};
  answer_with(reply);
  ASSERT_THAT(sent.reply()->failures, SizeIs(1));
  EXPECT_EQ(sent.reply()->failures[0].index, 0);
  EXPECT_EQ(sent.reply()->values[2], 6);
  ASSERT_THAT(waits.reply()->failures, SizeIs(1));  // the same input fails in the same way
  EXPECT_THAT(runs_, SizeIs(0));
  const Sent later = send({5});
  ASSERT_THAT(runs_, SizeIs(1));  // nothing wrong was kept
}

TEST_F(ResultCacheTest, NobodyWaitsForWhatMayComeLater) {
  const auto soon = tulip::Clock::now() + 1s;
  const Sent bulk = send({5}, tulip::Lane::kBulk), online = send({5}, tulip::Lane::kOnline);
  EXPECT_THAT(runs_, SizeIs(2));
  const Sent patient = send({6}), hurried = send({6}, tulip::Lane::kOnline, soon);
  EXPECT_THAT(runs_, SizeIs(4));
  std::swap(runs_[0], runs_[1]);
  answer();  // the online one first: whoever waits for bulk's has it then too
  EXPECT_TRUE(online.is_done());
  EXPECT_FALSE(bulk.is_done());
  while (!runs_.empty()) answer();
  EXPECT_TRUE(bulk.reply().ok() && patient.reply().ok() && hurried.reply().ok());
}

TEST_F(ResultCacheTest, AReplyOfTheWrongShapeIsAnError) {
  const Sent sent = send({5, 6});
  answer_with(tulip::Reply{.values = {1, 2, 3}, .row_size = 3});
  EXPECT_TRUE(absl::IsInternal(sent.reply().status()));
}

TEST(ResultCache, NobodyWaitsLongForARunThatMayBeStuck) {
  std::deque<Errand> runs;
  ResultCache cache({.most_bytes = 1 << 20, .patience = -1ms},
                    [&](Errand errand) { runs.push_back(std::move(errand)); });
  int answers = 0;
  const auto send = [&] {
    cache.run({.chunk = [] { return tulip::Chunk{.ids = {5}, .lengths = {1}}; },
               .tokens = 1,
               .done = [&](const absl::StatusOr<tulip::Reply>& reply) { answers += reply.ok(); }});
  };
  send();
  send();
  ASSERT_THAT(runs, SizeIs(2));
  for (const size_t i : {1, 0}) {
    Errand errand = std::move(runs[i]);
    errand.done(reply_to(errand.chunk()));
  }
  EXPECT_EQ(answers, 2);
}

TEST(ResultCache, ManyThreadsGetTheRightRows) {
  std::atomic<int> wrong{0};
  std::vector<std::jthread> runners;
  ResultCache cache({.most_bytes = 20'000}, [](Errand errand) { errand.done(reply_to(errand.chunk())); });
  for (int t = 0; t < 4; ++t) {
    runners.emplace_back([&cache, &wrong, t] {
      for (int i = 0; i < 2000; ++i) {
        const std::vector<int32_t> ids = {(i * 7 + t) % 150, i % 90};
        cache.run({.chunk =
                       [ids] {
                         return tulip::Chunk{.ids = ids, .lengths = {1, 1}};
                       },
                   .tokens = 2,
                   .done =
                       [&wrong, ids](const absl::StatusOr<tulip::Reply>& reply) {
                         wrong += !reply.ok() || reply->values[0] != static_cast<float>(ids[0]) ||
                                  reply->values[2] != static_cast<float>(ids[1]);
                       }});
      }
    });
  }
  runners.clear();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace bouquet::ivy
