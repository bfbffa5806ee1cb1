// Collects rows and failures; answers once.
#include "tulip/call.h"

#include <algorithm>

namespace bouquet::tulip {
namespace {

int32_t reply_width(const OutputSpec& spec, int32_t row_size) {
  return spec.output != Output::kLogits && spec.dimensions > 0 ? spec.dimensions : row_size;
}

}  // namespace

Call::Call(Chunk chunk, CallOptions options, Done done, int32_t row_size)
    : chunk_(std::move(chunk)),
      options_(std::move(options)),
      row_size_(row_size),
      width_(reply_width(chunk_.spec, row_size)),
      done_(std::move(done)),
      open_(static_cast<int32_t>(chunk_.lengths.size())) {
  reply_.row_size = width_;
  int64_t rows = 0;
  for (size_t i = 0; i < chunk_.lengths.size(); ++i) {
    first_row_.push_back(rows);
    rows += rows_of(chunk_, i);
  }
  reply_.values.resize(rows * width_);
}

Call::~Call() { abandon(absl::UnavailableError("the server is shutting down")); }

absl::Status Call::wanted(Clock::time_point now) const {
  if (options_.cancelled.stop_requested()) return absl::CancelledError("the caller went away");
  if (now >= options_.deadline) return absl::DeadlineExceededError("the deadline passed before the work was done");
  return absl::OkStatus();
}

void Call::finish(int32_t index, std::span<const float> values, StageTimes times, Load load) {
  settle_one(load, [&] {
    auto to = reply_.values.begin() + first_row_[index] * width_;
    for (auto from = values.begin(); from != values.end(); from += row_size_) to = std::copy_n(from, width_, to);
    reply_.times.queue_us = std::max(reply_.times.queue_us, times.queue_us);
    reply_.times.compute_us = std::max(reply_.times.compute_us, times.compute_us);
  });
}

void Call::fail(int32_t index, absl::Status status, Load load) {
  settle_one(load, [&] { reply_.failures.push_back({index, std::move(status)}); });
}

// Records one sequence under the lock; answers after it, when that was the last.
template <class Record>
void Call::settle_one(Load load, Record record) {
  Done done;
  {
    std::lock_guard lock(mutex_);
    if (!done_) return;
    record();
    if (--open_ > 0) return;
    reply_.load = load;
    std::sort(reply_.failures.begin(), reply_.failures.end(),
              [](const auto& a, const auto& b) { return a.index < b.index; });
    done = std::exchange(done_, nullptr);
  }
  done(std::move(reply_));
}

void Call::abandon(absl::Status status) {
  Done done;
  {
    std::lock_guard lock(mutex_);
    done = std::exchange(done_, nullptr);
  }
  if (done) done(std::move(status));
}

}  // namespace bouquet::tulip
