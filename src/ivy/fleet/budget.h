// How many extra chunks may be sent beside the first attempts: a share of those, and a few at once. So retries never
// become a storm, however much fails. A plain state machine.
#pragma once

#include <algorithm>

namespace bouquet::ivy {

class Budget {
 public:
  // `share` of all first attempts; up to `burst` are saved up.
  Budget(double share, double burst) : share_(share), burst_(burst), left_(burst) {}

  void first_attempt() { left_ = std::min(burst_, left_ + share_); }

  // Whether one more may be sent; it then counts as sent.
  bool take() {
    if (left_ < 1) return false;
    left_ -= 1;
    return true;
  }

 private:
  const double share_, burst_;
  double left_;
};

}  // namespace bouquet::ivy
