// The limit counts tokens, an empty queue takes anything, a refusal says when to come back.
#include "tulip/admission.h"

#include "gtest/gtest.h"
#include "tulip/client.h"

namespace bouquet::tulip {
namespace {

TEST(Admission, CountsTokens) {
  const Admission admission({.max_queued_tokens = 1000});
  EXPECT_TRUE(admission.check(400, 600, 100, false).ok());
  const absl::Status refused = admission.check(401, 800, 100, false);
  EXPECT_EQ(refused.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(retry_after(refused).count(), 2010);
  EXPECT_TRUE(admission.check(5000, 0, 100, false).ok());
}

TEST(Admission, WhatContinuesAJobFindsTwiceTheLimit) {
  const Admission admission({.max_queued_tokens = 1000});
  EXPECT_TRUE(admission.check(400, 1600, 100, true).ok());
  EXPECT_EQ(retry_after(admission.check(400, 1700, 100, true)).count(), 1000);
}

TEST(Admission, FollowsTheMeasuredRate) {
  const Admission admission({.max_queue_seconds = 10});
  EXPECT_EQ(admission.limit(0), 32768);
  EXPECT_EQ(admission.limit(100'000), 1'000'000);
  EXPECT_EQ(retry_after(admission.check(40'000, 1, 0, false)).count(), 1000);
}

}  // namespace
}  // namespace bouquet::tulip
