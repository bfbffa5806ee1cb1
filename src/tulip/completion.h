// The completion thread: waits for each batch in order, checks its rows, hands them to their calls.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "rose/engine.h"
#include "tulip/scheduler.h"
#include "tulip/stats.h"

namespace bouquet::tulip {

struct InFlightBatch {
  rose::LazyTensor result;
  std::vector<QueuedSequence> sequences;
  int64_t tokens = 0;
  Clock::time_point started;  // when it was enqueued on the engine
};

class Completion {
 public:
  // `batch_done` is called after each batch with the current load to report, before its calls hear.
  using BatchDone = std::function<Load(int64_t tokens, std::chrono::microseconds busy)>;
  Completion(Stats& stats, BatchDone batch_done);
  ~Completion();  // finishes what was pushed

  void push(InFlightBatch batch);
  // Returns when every batch pushed before has been handed to its calls.
  void flush();

 private:
  void loop();
  void deliver(const InFlightBatch& batch);
  Stats& stats_;
  const BatchDone batch_done_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<InFlightBatch> pending_;  // guarded by mutex_
  bool delivering_ = false;            // likewise
  bool closing_ = false;               // likewise
  Clock::time_point last_done_;        // the completion thread's own
  std::thread thread_;
};

// True when a sequence's rows, each `width` values, may leave: finite, and no embedding all zero.
bool is_sound(std::span<const float> values, size_t width, Output output);

}  // namespace bouquet::tulip
