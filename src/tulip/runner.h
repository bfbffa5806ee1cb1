// The runner thread: as soon as the engine has a free slot it takes the next batch, asks the graph policy how to run it
// and enqueues it. Two batches are in flight: one running, one queued behind it; while both are, arrivals accumulate.
// A call that finds the engine idle does not wait for that thread: its own enqueues the batch.
#pragma once

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "rose/engine.h"
#include "tulip/admission.h"
#include "tulip/call.h"
#include "tulip/completion.h"
#include "tulip/graph_policy.h"
#include "tulip/scheduler.h"
#include "tulip/tuner.h"

namespace bouquet::tulip {

struct RunnerOptions {
  SchedulerOptions scheduler;
  GraphPolicyOptions graphs;
  AdmissionOptions admission;
  int max_in_flight = 2;
};

class Runner {
 public:
  // `tuner` is probed while nothing else waits; its findings become the budgets. May be null.
  Runner(rose::Engine& engine, const RunnerOptions& options, std::unique_ptr<Tuner> tuner, Stats& stats);
  ~Runner();  // answers what was accepted with UNAVAILABLE, but for batches in flight, which finish

  // Queues the call's sequences, or refuses: RESOURCE_EXHAUSTED, or UNAVAILABLE once draining.
  absl::Status submit(const std::shared_ptr<Call>& call);
  // Refuses new calls and returns when all accepted ones are answered.
  void drain();

  Load load() const;
  // How long the oldest batch in flight has been there; zero when none is.
  Clock::duration oldest_step_age(Clock::time_point now) const;
  int32_t saturation_tokens() const;

 private:
  void loop();
  bool wait_for_work();
  void probe();
  bool start_next() noexcept;
  bool start_at_once();
  bool can_start() const;
  bool is_idle() const;
  std::vector<QueuedSequence> drop_unwanted(std::vector<QueuedSequence> batch, Clock::time_point now);
  void run(std::vector<QueuedSequence> batch);
  void gather(const std::vector<QueuedSequence>& batch);
  rose::LazyTensor step(const GraphPlan& plan, const rose::Batch& batch);
  Load batch_done(int64_t tokens, std::chrono::microseconds busy);
  Load load_locked() const;

  rose::Engine& engine_;
  Stats& stats_;
  const int max_in_flight_;
  const Admission admission_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  Scheduler scheduler_;                      // guarded by mutex_, like all up to the blank line
  std::deque<Clock::time_point> in_flight_;  // when each batch in flight was started, oldest first
  Clock::time_point last_submit_;
  double tokens_per_second_ = 0;
  bool draining_ = false;
  bool stopping_ = false;

  // Whoever enqueues a batch holds it, and takes it before mutex_. Calls that nobody waits for any more are answered
  // under it; what their `done` submits is queued, for the engine then counts as busy.
  std::mutex stepping_;
  GraphPolicy policy_;  // guarded by stepping_, like all up to the blank line
  std::map<GraphKey, std::shared_ptr<const rose::Graph>> graphs_;
  std::unique_ptr<Tuner> tuner_;
  std::vector<int32_t> ids_, cu_seqlens_;
  std::vector<uint8_t> token_types_;
  std::vector<rose::RowSpec> specs_;

  std::unique_ptr<Completion> completion_;
  std::thread thread_;
};

}  // namespace bouquet::tulip
