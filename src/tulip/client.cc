// The retry hint as a payload of an absl::Status.
#include "tulip/client.h"

#include "absl/strings/cord.h"
#include "absl/strings/numbers.h"

namespace bouquet::tulip {
namespace {
constexpr char kRetryAfterUrl[] = "bouquet.v1/retry-after-ms";
}  // namespace

absl::Status overloaded_error(std::string message, std::chrono::milliseconds retry_after) {
  absl::Status status = absl::ResourceExhaustedError(std::move(message));
  status.SetPayload(kRetryAfterUrl, absl::Cord(std::to_string(retry_after.count())));
  return status;
}

std::chrono::milliseconds retry_after(const absl::Status& status) {
  int64_t milliseconds = 0;
  if (auto payload = status.GetPayload(kRetryAfterUrl); payload.has_value()) {
    if (!absl::SimpleAtoi(std::string(*payload), &milliseconds)) return std::chrono::milliseconds(0);
  }
  return std::chrono::milliseconds(milliseconds);
}

}  // namespace bouquet::tulip
