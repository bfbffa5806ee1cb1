// A progress line on standard error: share done, rate, time left. On a terminal it is redrawn in place; elsewhere a
// line comes now and then, so that logs stay short.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace bouquet::cli {

class Progress {
 public:
  // `total` 0: not known. `unit` as in "texts" or "MB".
  Progress(std::string label, std::string unit, bool enabled);
  ~Progress();  // ends the line

  // `done` of `total`, in whatever they count; `units` done so far, for the rate..
  void update(uint64_t done, uint64_t total, double units);
  // Takes the line away, for something else to be printed; the next update draws it again. On a terminal alone.
  void clear();
  void finish();

  // What one update prints, without the control characters: exposed for its test.
  static std::string render(const std::string& label, double share, double units, const std::string& unit,
                            double seconds);

 private:
  using Clock = std::chrono::steady_clock;
  const std::string label_, unit_;
  const bool enabled_, terminal_;
  const Clock::time_point start_ = Clock::now();
  Clock::time_point last_drawn_;
  double first_units_ = -1;
  double first_share_ = 0;
  std::string last_line_;
};

}  // namespace bouquet::cli
