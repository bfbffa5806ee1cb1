// The limit and the hint from one rate.
#include "tulip/admission.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "fmt/format.h"
#include "tulip/client.h"

namespace bouquet::tulip {
namespace {
constexpr int64_t kLeastLimit = 32768;  // tokens; also the limit before the rate is known
constexpr double kDefaultHintSeconds = 1;
constexpr int64_t kContinuing = 2;  // times the limit
}  // namespace

int64_t Admission::limit(double tokens_per_second) const {
  if (options_.max_queued_tokens > 0) return options_.max_queued_tokens;
  return std::max(kLeastLimit, static_cast<int64_t>(tokens_per_second * options_.max_queue_seconds));
}

absl::Status Admission::check(int64_t call_tokens, int64_t queued_tokens, double tokens_per_second,
                              bool continues) const {
  const int64_t most = limit(tokens_per_second) * (continues ? kContinuing : 1);
  if (queued_tokens == 0 || queued_tokens + call_tokens <= most) return absl::OkStatus();
  const double excess = static_cast<double>(queued_tokens + call_tokens - most);
  const double seconds = tokens_per_second > 0 ? excess / tokens_per_second : kDefaultHintSeconds;
  const auto hint = std::chrono::milliseconds(static_cast<int64_t>(std::ceil(std::clamp(seconds, 0.1, 60.0) * 1000)));
  return overloaded_error(fmt::format("overloaded: {} tokens are queued, {} more would pass the limit of {}",
                                      queued_tokens, call_tokens, most),
                          hint);
}

}  // namespace bouquet::tulip
