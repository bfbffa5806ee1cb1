// Causes come from outside, so there is a bound on how many are kept.
#include "base/repeats.h"

#include "absl/strings/ascii.h"

namespace bouquet {
namespace {

constexpr std::chrono::minutes kAgain{10};
constexpr size_t kMostCauses = 64;

std::string essence_of(std::string_view cause) {
  std::string essence;
  for (const char c : cause.substr(0, cause.find('{'))) {
    if (!absl::ascii_isdigit(static_cast<unsigned char>(c))) essence.push_back(c);
  }
  return essence;
}

}  // namespace

bool Repeats::worth_saying(std::string_view cause, Clock::time_point now) {
  std::string essence = essence_of(cause);
  std::lock_guard lock(mutex_);
  if (const auto found = told_.find(essence); found != told_.end() && now < found->second) return false;
  if (told_.size() >= kMostCauses) told_.clear();
  told_[std::move(essence)] = now + kAgain;
  return true;
}

void Repeats::forget() {
  std::lock_guard lock(mutex_);
  told_.clear();
}

}  // namespace bouquet
