// A Tulip on a virtual clock: the real admission, scheduler and calls, with an engine that takes its time and computes
// nothing. As in tulip::Runner two batches are in flight, one running and one behind it.
//
// Its chunks carry no tokens: `ids` holds a number for each text, and a text's row is that number, so that whoever
// joins the rows can tell whether each is where it belongs.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "simulate/cost.h"
#include "simulate/event_loop.h"
#include "tulip/admission.h"
#include "tulip/call.h"
#include "tulip/scheduler.h"

namespace bouquet::simulate {

struct ReplicaOptions {
  Cost cost;
  tulip::AdmissionOptions admission;
};

// What a replica has seen.
struct ReplicaCounts {
  double busy_seconds = 0;
  uint64_t tokens = 0;      // computed, also those that were lost or wanted by nobody
  uint64_t refused = 0;     // chunks
  int64_t most_queued = 0;  // tokens
  int64_t largest_chunk = 0;
  double longest_queue_seconds = 0;
};

class Replica {
 public:
  Replica(EventLoop& loop, const ReplicaOptions& options);

  // As tulip::Service::run. The replica must be up.
  void run(tulip::Chunk chunk, tulip::CallOptions options, tulip::Done done);

  // Everything it had is lost: each call is answered UNAVAILABLE. Callers hear of it at `noticed`, not before.
  void crash(Clock::time_point noticed);
  void restart();
  // From now on every batch takes so many times as long.
  void set_slowness(double factor) { slowness_ = factor; }

  bool is_up() const { return up_; }
  Clock::time_point noticed() const { return noticed_; }
  bool is_idle() const { return scheduler_->empty() && in_flight_.empty(); }
  const ReplicaCounts& counts() const { return counts_; }

 private:
  struct Batch {
    std::vector<tulip::QueuedSequence> sequences;
    int64_t tokens = 0;
    Clock::time_point enqueued, begun;
  };
  void start_what_can();
  void enqueue(std::vector<tulip::QueuedSequence> sequences);
  void batch_done();
  void deliver(const Batch& batch, tulip::Load load);
  tulip::Load load() const;

  EventLoop& loop_;
  const ReplicaOptions options_;
  const tulip::Admission admission_;
  std::unique_ptr<tulip::Scheduler> scheduler_;  // a new one after each crash
  std::deque<Batch> in_flight_;                  // oldest first; the front one runs
  Clock::time_point free_at_;                    // when the engine is done with all of them
  double tokens_per_second_ = 0;
  double slowness_ = 1;
  bool up_ = true;
  Clock::time_point noticed_;  // the last crash
  uint64_t life_ = 0;          // counts crashes, so that batches of an earlier life end nowhere
  ReplicaCounts counts_;
};

}  // namespace bouquet::simulate
