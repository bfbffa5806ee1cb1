// The caller hears exactly once, whatever happens to the sequences.
#include "tulip/call.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace bouquet::tulip {
namespace {

using testing::ElementsAre;

struct Heard {
  int times = 0;
  absl::StatusOr<Reply> reply = absl::UnknownError("");
  Done callback() {
    return [this](absl::StatusOr<Reply> r) {
      ++times;
      reply = std::move(r);
    };
  }
};

TEST(Call, AnswersAfterTheLastSequence) {
  Heard heard;
  Call call({.ids = {1, 2, 3}, .lengths = {1, 2}, .spec = {.dimensions = 2}}, {}, heard.callback(), 3);
  const float row[] = {1, 2, 3};
  call.finish(1, row, {.queue_us = 5, .compute_us = 7}, {});
  EXPECT_EQ(heard.times, 0);
  call.fail(0, absl::InternalError("not finite"), {.queued_tokens = 9});
  EXPECT_EQ(heard.times, 1);
  ASSERT_TRUE(heard.reply.ok());
  EXPECT_THAT(heard.reply->values, ElementsAre(0, 0, 1, 2));
  ASSERT_EQ(heard.reply->failures.size(), 1u);
  EXPECT_EQ(heard.reply->load.queued_tokens, 9u);
  EXPECT_EQ(heard.reply->times.compute_us, 7u);
}

TEST(Call, AbandonedOrDroppedCallsAnswerToo) {
  Heard abandoned, dropped;
  {
    Call a({.ids = {1}, .lengths = {1}}, {}, abandoned.callback(), 1);
    Call b({.ids = {1}, .lengths = {1}}, {}, dropped.callback(), 1);
    a.abandon(absl::CancelledError("x"));
    const float row[] = {1};
    a.finish(0, row, {}, {});
  }
  EXPECT_EQ(abandoned.times, 1);
  EXPECT_EQ(abandoned.reply.status().code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(dropped.times, 1);
  EXPECT_EQ(dropped.reply.status().code(), absl::StatusCode::kUnavailable);
}

TEST(Call, WantedFollowsDeadlineAndCancellation) {
  const Clock::time_point now = Clock::now();
  std::stop_source source;
  Call call(
      {.ids = {1}, .lengths = {1}}, {.deadline = now + std::chrono::seconds(1), .cancelled = source.get_token()},
      [](absl::StatusOr<Reply>) {}, 1);
  EXPECT_TRUE(call.wanted(now).ok());
  EXPECT_EQ(call.wanted(now + std::chrono::seconds(1)).code(), absl::StatusCode::kDeadlineExceeded);
  source.request_stop();
  EXPECT_EQ(call.wanted(now).code(), absl::StatusCode::kCancelled);
}

}  // namespace
}  // namespace bouquet::tulip
