// A refusal carries its retry hint; other statuses have none.
#include "tulip/client.h"

#include "gtest/gtest.h"

namespace bouquet::tulip {
namespace {

TEST(RetryAfter, TravelsWithTheStatus) {
  const absl::Status status = overloaded_error("queue full", std::chrono::milliseconds(1500));
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(retry_after(status).count(), 1500);
  EXPECT_EQ(retry_after(absl::InternalError("x")).count(), 0);
}

}  // namespace
}  // namespace bouquet::tulip
