// The 95th percentile of what was seen lately. A plain state machine.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>

namespace bouquet::ivy {

class RecentP95 {
 public:
  void add(double value) {
    seen_[count_++ % seen_.size()] = value;
    if (count_ % kPeriod == 0) update();
  }

  // Nothing before enough was seen.
  std::optional<double> value() const { return value_; }

 private:
  static constexpr size_t kPeriod = 32;  // values between two looks

  void update() {
    std::array<double, 256> sorted = seen_;
    const size_t count = std::min(count_, seen_.size());
    const auto at = sorted.begin() + static_cast<ptrdiff_t>(count * 95 / 100);
    std::nth_element(sorted.begin(), at, sorted.begin() + static_cast<ptrdiff_t>(count));
    value_ = *at;
  }

  std::array<double, 256> seen_{};
  size_t count_ = 0;
  std::optional<double> value_;
};

}  // namespace bouquet::ivy
