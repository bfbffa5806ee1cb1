// Codes map by their numbers, which absl took from gRPC.
#include "tulip/rpc/status.h"

#include <algorithm>

#include "absl/strings/numbers.h"

namespace bouquet::tulip {
namespace {

constexpr char kRetryAfter[] = "bouquet-retry-after-ms";
constexpr char kOurs[] = "bouquet-error";  // the mark
constexpr int64_t kLongestHintMs = 3'600'000;
using SystemClock = std::chrono::system_clock;

// gRPC names addresses and its own parts, which is for the log (see health_watch.cc) rather than for callers.
absl::Status in_plain_words(const grpc::Status& status) {
  const auto code = static_cast<absl::StatusCode>(status.error_code());
  switch (code) {
    case absl::StatusCode::kDeadlineExceeded:
      return absl::Status(code, "the replica did not answer in time");
    case absl::StatusCode::kUnavailable:
    case absl::StatusCode::kUnknown:
    case absl::StatusCode::kInternal:
      return absl::Status(code, "the connection to the replica failed");
    default:
      return absl::Status(code, status.error_message());
  }
}

}  // namespace

grpc::Status to_grpc(const absl::Status& status, grpc::CallbackServerContext* context) {
  if (status.ok()) return grpc::Status::OK;
  context->AddTrailingMetadata(kOurs, "1");
  if (const auto hint = retry_after(status); hint.count() > 0) {
    context->AddTrailingMetadata(kRetryAfter, std::to_string(hint.count()));
  }
  return grpc::Status(static_cast<grpc::StatusCode>(status.code()), std::string(status.message()));
}

absl::Status from_grpc(const grpc::Status& status, const grpc::ClientContext& context) {
  if (status.ok()) return absl::OkStatus();
  const auto& trailers = context.GetServerTrailingMetadata();
  const auto found = trailers.find(kRetryAfter);
  if (status.error_code() == grpc::StatusCode::RESOURCE_EXHAUSTED && found != trailers.end()) {
    int64_t hint = 0;
    if (!absl::SimpleAtoi(std::string(found->second.data(), found->second.size()), &hint)) hint = 0;
    return overloaded_error(status.error_message(),
                            std::chrono::milliseconds(std::clamp<int64_t>(hint, 0, kLongestHintMs)));
  }
  if (trailers.find(kOurs) == trailers.end()) return in_plain_words(status);
  return absl::Status(static_cast<absl::StatusCode>(status.error_code()), status.error_message());
}

SystemClock::time_point to_system(Clock::time_point deadline) {
  if (deadline == Clock::time_point::max()) return SystemClock::time_point::max();
  return SystemClock::now() + std::chrono::duration_cast<SystemClock::duration>(deadline - Clock::now());
}

Clock::time_point to_steady(SystemClock::time_point deadline) {
  const auto now = SystemClock::now();
  if (deadline - now > std::chrono::hours(24 * 365)) return Clock::time_point::max();
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(deadline - now);
}

}  // namespace bouquet::tulip
