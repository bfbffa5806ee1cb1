// Keeps the log from saying the same thing again and again: whether a cause that keeps coming up is worth a line.
//
//   if (repeats.worth_saying(reason, Clock::now())) log_warn("it does not work", {{"reason", reason}});
//   ... when it works: repeats.forget();
#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace bouquet {

// May be used from any thread.
class Repeats {
 public:
  using Clock = std::chrono::steady_clock;

  // True for a cause that has not been told for ten minutes. Causes that differ in numbers alone, or in what stands in
  // braces, are the same: ports, addresses of memory, times.
  bool worth_saying(std::string_view cause, Clock::time_point now);

  // All is well: from now on every cause is news.
  void forget();

 private:
  std::mutex mutex_;
  std::map<std::string, Clock::time_point> told_;  // under mutex_; by cause, when it is told again
};

}  // namespace bouquet
