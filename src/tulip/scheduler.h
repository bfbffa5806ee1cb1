// Which sequences run next: two lanes, each first come, first served by sequence, cut into batches by a token budget.
// A plain state machine: no thread, no clock, no lock. Time comes in as an argument.
//
// Latency follows tokens; past the saturation point a bigger batch buys nothing, so a batch is cut there while anybody
// is waiting online (or was a moment ago), and at a larger budget for pure bulk. Order within a lane never changes to
// fill a batch. Online goes first; bulk keeps a guaranteed share by a deficit counter (Shreedhar and Varghese 1996).
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "tulip/client.h"

namespace bouquet::tulip {

class Call;

// One sequence of a call.
struct QueuedSequence {
  std::shared_ptr<Call> call;
  int32_t index = 0;   // within the call's chunk
  int32_t offset = 0;  // its first token within the chunk
  int32_t tokens = 0;
  Lane lane = Lane::kOnline;
  Clock::time_point enqueued;
  int32_t rows = 1;        // places it takes in a batch: its spans, where it has some
  int32_t first_span = 0;  // within the call's chunk
};

struct SchedulerOptions {
  int32_t mixed_budget = 256;                     // tokens a batch while anybody is online: the saturation point
  int32_t bulk_budget = 1024;                     // tokens a batch of pure bulk
  int32_t max_sequences = 1024;                   // rows a batch: sequences, or their spans
  int lanes = 2;                                  // 1: a plain single queue
  double bulk_share = 0.25;                       // of a batch's tokens, kept for bulk while both lanes wait
  std::chrono::milliseconds online_memory{1000};  // how long after an online arrival batches stay small
};

class Scheduler {
 public:
  explicit Scheduler(SchedulerOptions options) : options_(options) {}

  void push(QueuedSequence sequence, Clock::time_point now);
  // The next batch, in the order it runs; empty when nothing waits. A sequence over the budget comes alone.
  std::vector<QueuedSequence> take(Clock::time_point now);
  // Everything still waiting, oldest first in each lane: for shutting down.
  std::vector<QueuedSequence> take_all();

  bool empty() const { return online_.empty() && bulk_.empty(); }
  int64_t queued_tokens() const { return queued_tokens_; }
  // When the oldest waiting sequence came; `now` when nothing waits.
  Clock::time_point oldest(Clock::time_point now) const;
  void set_budgets(int32_t mixed, int32_t bulk);
  const SchedulerOptions& options() const { return options_; }

 private:
  using Lane_ = std::deque<QueuedSequence>;
  struct Batch {
    std::vector<QueuedSequence> sequences;
    int64_t tokens = 0;
    int32_t rows = 0;
  };
  // Moves from `lane` while the head fits into what is left of `budget` (or is first of an empty batch).
  void fill(Lane_& lane, int64_t budget, Batch* batch);
  // The lane's head may join the batch.
  bool fits(const Lane_& lane, int64_t budget, const Batch& batch) const;
  int64_t price(const QueuedSequence& sequence, int64_t budget) const;
  void take_head(Lane_& lane, Batch* batch);

  SchedulerOptions options_;
  Lane_ online_, bulk_;
  int64_t queued_tokens_ = 0;
  int64_t bulk_credit_ = 0;  // tokens bulk may still claim past a full batch
  Clock::time_point last_online_ = Clock::time_point::min();
};

}  // namespace bouquet::tulip
