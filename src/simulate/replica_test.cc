// Batches, times, loads, refusals and crashes, exactly.
#include "simulate/replica.h"

#include "gtest/gtest.h"

namespace bouquet::simulate {
namespace {

using namespace std::chrono_literals;

// A token a millisecond, and 10 ms a batch of up to 100 tokens.
constexpr Cost kCost = {.tokens_per_second = 1000, .batch_ms = 10, .batch_tokens = 100, .bulk_tokens = 200};

struct Heard {
  absl::StatusOr<tulip::Reply> reply = absl::UnknownError("not yet");
  Clock::duration at{0};
  int times = 0;
};

class SimulatedReplica : public testing::Test {
 protected:
  std::shared_ptr<Heard> send(std::vector<int32_t> lengths, bool continues = false, tulip::CallOptions options = {}) {
    tulip::Chunk chunk{.lengths = std::move(lengths), .continues = continues};
    for (size_t i = 0; i < chunk.lengths.size(); ++i) chunk.ids.push_back(static_cast<int32_t>(i) + 7);
    auto heard = std::make_shared<Heard>();
    replica_.run(std::move(chunk), std::move(options), [this, heard](absl::StatusOr<tulip::Reply> reply) {
      heard->reply = std::move(reply);
      heard->at = loop_.now() - start_;
      ++heard->times;
    });
    return heard;
  }

  EventLoop loop_;
  const Clock::time_point start_ = loop_.now();
  Replica replica_{loop_, {kCost, {.max_queued_tokens = 300}}};
};

TEST_F(SimulatedReplica, ABatchTakesItsTimeAndGivesEachTextsRow) {
  const auto heard = send({30, 20});
  loop_.run();
  ASSERT_TRUE(heard->reply.ok());
  EXPECT_EQ(heard->at, 60ms);
  EXPECT_EQ(heard->reply->values, (std::vector<float>{7, 8}));
  EXPECT_EQ(heard->reply->load.tokens_per_second, 833u);  // 50 in 60 ms
  EXPECT_EQ(replica_.counts().tokens, 50u);
  EXPECT_NEAR(replica_.counts().busy_seconds, 0.06, 1e-9);
  EXPECT_TRUE(replica_.is_idle());
}

TEST_F(SimulatedReplica, TwoAreInFlightAndTheRestIsGathered) {
  const auto first = send({50}), second = send({50}), third = send({50}), fourth = send({50});
  loop_.run();
  EXPECT_EQ(first->at, 60ms);
  EXPECT_EQ(second->at, 120ms);
  EXPECT_EQ(third->at, 230ms);  // with the fourth
  EXPECT_EQ(fourth->at, 230ms);
  EXPECT_EQ(replica_.counts().most_queued, 100);
  EXPECT_NEAR(replica_.counts().longest_queue_seconds, 0.06, 1e-9);
}

TEST_F(SimulatedReplica, IsFullAtTheLimitAndForWhatContinuesAtTwice) {
  send({50}), send({50});
  for (int i = 0; i < 3; ++i) send({100});
  const auto refused = send({1});
  EXPECT_EQ(refused->reply.status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(replica_.counts().refused, 1u);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(send({100}, true)->times, 0);
  EXPECT_EQ(send({1}, true)->reply.status().code(), absl::StatusCode::kResourceExhausted);
  loop_.run();
  EXPECT_TRUE(replica_.is_idle());
}

TEST_F(SimulatedReplica, ACrashLosesAllAndARestartBeginsEmpty) {
  const auto running = send({50}), waiting = send({90, 90, 90});
  loop_.after(30ms, [&] { replica_.crash(loop_.now() + 1s); });
  loop_.after(40ms, [&] { replica_.restart(); });
  std::shared_ptr<Heard> after;
  loop_.after(45ms, [&] { after = send({50}); });
  loop_.run();
  EXPECT_EQ(running->reply.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(waiting->reply.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(running->times + waiting->times, 2);
  EXPECT_TRUE(after->reply.ok());
  EXPECT_EQ(after->at, 105ms);
  EXPECT_EQ(replica_.noticed() - start_, 1030ms);
}

TEST_F(SimulatedReplica, ASlowOneTakesAMultiple) {
  replica_.set_slowness(5);
  const auto heard = send({50});
  loop_.run();
  EXPECT_EQ(heard->at, 300ms);
}

TEST_F(SimulatedReplica, WhatNobodyWantsIsNotComputed) {
  std::stop_source stop;
  send({50}), send({50});
  const auto left = send({50}, false, {.cancelled = stop.get_token()});
  const auto late = send({50}, false, {.deadline = start_ + 1ms});
  stop.request_stop();
  loop_.run();
  EXPECT_EQ(left->reply.status().code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(late->reply.status().code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_EQ(replica_.counts().tokens, 100u);
}

}  // namespace
}  // namespace bouquet::simulate
