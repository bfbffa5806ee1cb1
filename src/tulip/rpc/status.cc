// Codes map by their numbers, which absl took from gRPC.
#include "tulip/rpc/status.h"

#include <algorithm>

#include "absl/strings/numbers.h"

namespace bouquet::tulip {
namespace {

constexpr char kRetryAfter[] = "bouquet-retry-after-ms";
constexpr int64_t kLongestHintMs = 3'600'000;
using SystemClock = std::chrono::system_clock;

}  // namespace

grpc::Status to_grpc(const absl::Status& status, grpc::CallbackServerContext* context) {
  if (status.ok()) return grpc::Status::OK;
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
