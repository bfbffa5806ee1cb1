// Rendering and throttling of the progress line.
#include "cli/progress.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "fmt/format.h"

namespace bouquet::cli {
namespace {

constexpr std::chrono::milliseconds kRedraw{100};  // on a terminal
constexpr std::chrono::seconds kLogEvery{10};      // elsewhere
constexpr int kBarWidth = 24;

std::string duration_text(double seconds) {
  const auto s = static_cast<int64_t>(seconds + 0.5);
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{}:{:02} min", s / 60, s % 60);
  return fmt::format("{}:{:02} h", s / 3600, s / 60 % 60);
}

}  // namespace

Progress::Progress(std::string label, std::string unit, bool enabled)
    : label_(std::move(label)),
      unit_(std::move(unit)),
      enabled_(enabled),
      terminal_(isatty(STDERR_FILENO) == 1),
      last_drawn_(start_) {}

Progress::~Progress() { finish(); }

// share < 0: the total is not known. `units` and `seconds` are of this run alone.
std::string Progress::render(const std::string& label, double share, double units, const std::string& unit,
                             double seconds) {
  const double rate = seconds > 0 ? units / seconds : 0;
  if (share < 0) return fmt::format("{}  {:.0f} {}  {:.1f} {}/s", label, units, unit, rate, unit);
  const int filled = static_cast<int>(std::clamp(share, 0.0, 1.0) * kBarWidth);
  return fmt::format("{}  [{:=<{}}{: <{}}] {:3.0f} %  {:.1f} {}/s", label, "", filled, "", kBarWidth - filled,
                     share * 100, rate, unit);
}

void Progress::update(uint64_t done, uint64_t total, double units) {
  if (!enabled_) return;
  const Clock::time_point now = Clock::now();
  const double share = total > 0 ? static_cast<double>(done) / static_cast<double>(total) : -1;
  if (first_units_ < 0) {
    first_units_ = units;
    first_share_ = share;
  }
  const bool due = terminal_ ? now - last_drawn_ >= kRedraw : now - last_drawn_ >= kLogEvery;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  last_line_ = render(label_, share, units - first_units_, unit_, seconds);
  if (share > first_share_ && share < 1) {
    last_line_ += fmt::format("  {} left", duration_text(seconds * (1 - share) / (share - first_share_)));
  }
  if (!due) return;
  last_drawn_ = now;
  std::fprintf(stderr, terminal_ ? "\r\033[K%s" : "%s\n", last_line_.c_str());
}

void Progress::clear() {
  if (enabled_ && terminal_) std::fprintf(stderr, "\r\033[K");
}

void Progress::finish() {
  if (!enabled_ || last_line_.empty()) return;
  std::fprintf(stderr, terminal_ ? "\r\033[K%s\n" : "%s\n", last_line_.c_str());
  last_line_.clear();
}

}  // namespace bouquet::cli
