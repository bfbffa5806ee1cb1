// Field, kind and cause survive the trip through absl::Status.
#include "ivy/failure.h"

#include "gtest/gtest.h"
#include "tulip/client.h"

namespace bouquet::ivy {
namespace {

TEST(Failure, KeepsFieldAndKind) {
  const absl::Status empty = empty_input("input[3]", "input[3] is empty");
  EXPECT_EQ(field_of(empty), "input[3]");
  EXPECT_EQ(fault_of(empty), InputFault::kEmpty);
  EXPECT_EQ(fault_of(malformed_input("not JSON")), InputFault::kMalformed);
  EXPECT_EQ(fault_of(invalid_input("dimensions", "too large")), InputFault::kInvalid);
  EXPECT_EQ(field_of(absl::InternalError("x")), "");
}

TEST(Failure, BlamesTheRightOne) {
  EXPECT_EQ(cause_of(invalid_input("a", "b")), "client");
  EXPECT_EQ(cause_of(absl::ResourceExhaustedError("full")), "overload");
  EXPECT_EQ(cause_of(absl::UnavailableError("gone")), "replica");
  EXPECT_EQ(cause_of(absl::DeadlineExceededError("late")), "timeout");
  EXPECT_EQ(cause_of(absl::CancelledError("left")), "cancelled");
  EXPECT_EQ(cause_of(absl::InternalError("bug")), "internal");
  EXPECT_EQ(http_status_of(absl::OutOfRangeError("big")), 413);
  EXPECT_EQ(http_status_of(absl::UnknownError("?")), 500);
}

TEST(Failure, AnUnknownModelIsNotFoundAndAboutThatField) {
  EXPECT_EQ(http_status_of(unknown_model("x")), 404);
  EXPECT_EQ(field_of(unknown_model("x")), "model");
  EXPECT_EQ(cause_of(unknown_model("x")), "client");
}

}  // namespace
}  // namespace bouquet::ivy
