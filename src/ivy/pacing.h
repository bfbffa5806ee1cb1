// Which of a job's chunks is sent next, and how many are under way at once: enough to keep every replica busy, without
// filling their queues with one job. No lock, no clock; may be called from any thread.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <optional>

namespace bouquet::ivy {

class Pacing {
 public:
  Pacing(size_t chunks, size_t replicas)
      : chunks_(chunks), at_once_(std::min(chunks, std::max(kLeast, kPerReplica * replicas))) {}

  // How many to send at first; one more each time one has arrived.
  size_t at_once() const { return at_once_; }

  // The next to send. Nothing when all are sent, or `stopped`: but the first always goes, so that somebody answers.
  std::optional<size_t> next(bool stopped) {
    const size_t chunk = next_.fetch_add(1);
    if (chunk >= chunks_ || (chunk > 0 && stopped)) return std::nullopt;
    return chunk;
  }

 private:
  static constexpr size_t kLeast = 4;
  static constexpr size_t kPerReplica = 2;
  const size_t chunks_, at_once_;
  std::atomic<size_t> next_{0};
};

}  // namespace bouquet::ivy
