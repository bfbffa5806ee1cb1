// Taking, gathering and enqueueing batches.
#include "tulip/runner.h"

#include <pthread.h>

#include <algorithm>

namespace bouquet::tulip {
namespace {

constexpr double kRateWeight = 0.2;                        // of a new batch in the moving average
constexpr std::chrono::milliseconds kIdleBeforeProbe{50};  // the tuner waits for a pause this long

rose::RowSpec row_spec(const Chunk& chunk, const QueuedSequence& sequence) {
  const bool vectors = chunk.spec.output != Output::kLogits;
  rose::RowSpec spec{vectors ? chunk.spec.dimensions : 0, vectors && chunk.spec.normalize,
                     static_cast<rose::Output>(chunk.spec.output)};
  if (!chunk.key_counts.empty()) spec.keys = chunk.key_counts[sequence.index];
  if (!chunk.span_counts.empty()) {
    spec.spans = std::span(chunk.spans).subspan(2 * size_t(sequence.first_span), 2 * size_t(sequence.rows));
  }
  return spec;
}

}  // namespace

Runner::Runner(rose::Engine& engine, const RunnerOptions& options, std::unique_ptr<Tuner> tuner, Stats& stats)
    : engine_(engine),
      stats_(stats),
      max_in_flight_(options.max_in_flight),
      admission_(options.admission),
      scheduler_(options.scheduler),
      policy_(options.graphs),
      tuner_(std::move(tuner)),
      completion_(std::make_unique<Completion>(
          stats, [this](int64_t tokens, std::chrono::microseconds busy) { return batch_done(tokens, busy); })),
      thread_([this] { loop(); }) {
  stats_.saturation_tokens.Set(options.scheduler.mixed_budget);
  stats_.inflection_tokens.Set(options.graphs.inflection_tokens);
}

Runner::~Runner() {
  {
    std::scoped_lock locks(stepping_, mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
  completion_.reset();
  scheduler_.take_all();  // dropping a call answers it
}

absl::Status Runner::submit(const std::shared_ptr<Call>& call) {
  const Chunk& chunk = call->chunk();
  const Clock::time_point now = Clock::now();
  bool idle = false;
  {
    std::lock_guard lock(mutex_);
    if (draining_ || stopping_) {
      stats_.refused_draining.Increment();
      return absl::UnavailableError("the server is shutting down");
    }
    const auto tokens = static_cast<int64_t>(chunk.ids.size());
    const absl::Status status =
        admission_.check(tokens, scheduler_.queued_tokens(), tokens_per_second_, chunk.continues);
    if (!status.ok()) {
      stats_.refused_overload.Increment();
      return status;
    }
    idle = is_idle();
    last_submit_ = now;
    int32_t offset = 0, span = 0;
    for (size_t i = 0; i < chunk.lengths.size(); ++i) {
      const int32_t spans = chunk.span_counts.empty() ? 0 : chunk.span_counts[i];
      scheduler_.push(
          {call, static_cast<int32_t>(i), offset, chunk.lengths[i], chunk.lane, now, std::max(spans, 1), span}, now);
      offset += chunk.lengths[i];
      span += spans;
    }
    stats_.queued_tokens.Set(static_cast<double>(scheduler_.queued_tokens()));
  }
  const bool started = idle && start_at_once();
  if (!started) changed_.notify_all();
  return absl::OkStatus();
}

void Runner::drain() {
  std::unique_lock lock(mutex_);
  draining_ = true;
  changed_.wait(lock, [this] { return scheduler_.empty() && in_flight_.empty(); });
  lock.unlock();
  completion_->flush();
}

Load Runner::load_locked() const {
  return {static_cast<uint64_t>(scheduler_.queued_tokens()), static_cast<uint64_t>(tokens_per_second_)};
}

Load Runner::load() const {
  std::lock_guard lock(mutex_);
  return load_locked();
}

Clock::duration Runner::oldest_step_age(Clock::time_point now) const {
  std::lock_guard lock(mutex_);
  return in_flight_.empty() ? Clock::duration::zero() : now - in_flight_.front();
}

int32_t Runner::saturation_tokens() const {
  std::lock_guard lock(mutex_);
  return scheduler_.options().mixed_budget;
}

// Work waits and a slot is free. The caller holds mutex_, as for is_idle.
bool Runner::can_start() const {
  return !stopping_ && !scheduler_.empty() && static_cast<int>(in_flight_.size()) < max_in_flight_;
}

bool Runner::is_idle() const { return scheduler_.empty() && in_flight_.empty(); }

// False when the runner should end. Returns when a batch can start, or, while tuning, after a pause.
bool Runner::wait_for_work() {
  std::unique_lock lock(mutex_);
  const auto ready = [this] { return stopping_ || can_start(); };
  if (!tuner_) {
    changed_.wait(lock, ready);
  } else if (!changed_.wait_for(lock, kIdleBeforeProbe, ready)) {
    lock.unlock();
    probe();
    lock.lock();
  }
  return !stopping_;
}

// If there was a pause.
void Runner::probe() {
  std::lock_guard stepping(stepping_);
  {
    std::lock_guard lock(mutex_);
    if (!is_idle() || Clock::now() - last_submit_ < kIdleBeforeProbe) return;
  }
  if (tuner_->probe(engine_)) return;
  const Tuning& tuning = tuner_->result();
  policy_.set_inflection(tuning.inflection_tokens);
  stats_.saturation_tokens.Set(tuning.saturation_tokens);
  stats_.inflection_tokens.Set(tuning.inflection_tokens);
  std::lock_guard lock(mutex_);
  scheduler_.set_budgets(tuning.saturation_tokens, tuning.bulk_tokens);
  tuner_.reset();
}

void Runner::loop() {
  pthread_setname_np(pthread_self(), "tulip-run");
  while (wait_for_work()) {
    std::lock_guard stepping(stepping_);
    start_next();
  }
}

// On a caller's thread: saves waking the runner's. False when that one has to be woken, for it is at work or more
// waits.
bool Runner::start_at_once() {
  std::unique_lock stepping(stepping_, std::try_to_lock);
  return stepping && !start_next();
}

// Takes a batch and enqueues it, if one waits and a slot is free. True: another could start. The caller holds
// stepping_. Whatever fails half way leaves a batch in flight that never ends, so nothing may be thrown.
bool Runner::start_next() noexcept {
  std::unique_lock lock(mutex_);
  if (!can_start()) return false;
  const Clock::time_point now = Clock::now();
  stats_.queue_age_seconds.Set(std::chrono::duration<double>(now - scheduler_.oldest(now)).count());
  std::vector<QueuedSequence> batch = scheduler_.take(now);
  stats_.queued_tokens.Set(static_cast<double>(scheduler_.queued_tokens()));
  in_flight_.push_back(now);
  stats_.in_flight.Set(static_cast<double>(in_flight_.size()));
  const bool more = can_start();
  lock.unlock();
  batch = drop_unwanted(std::move(batch), now);
  if (!batch.empty()) {
    run(std::move(batch));
    return more;
  }
  lock.lock();
  in_flight_.pop_back();
  stats_.in_flight.Set(static_cast<double>(in_flight_.size()));
  changed_.notify_all();
  return more;
}

std::vector<QueuedSequence> Runner::drop_unwanted(std::vector<QueuedSequence> batch, Clock::time_point now) {
  std::erase_if(batch, [&](const QueuedSequence& sequence) {
    const absl::Status wanted = sequence.call->wanted(now);
    if (wanted.ok()) return false;
    (absl::IsCancelled(wanted) ? stats_.dropped_cancelled : stats_.dropped_deadline).Increment();
    sequence.call->abandon(wanted);
    return true;
  });
  return batch;
}

void Runner::gather(const std::vector<QueuedSequence>& batch) {
  ids_.clear();
  token_types_.clear();
  specs_.clear();
  cu_seqlens_.assign(1, 0);
  const Clock::time_point now = Clock::now();
  for (const QueuedSequence& sequence : batch) {
    const Chunk& chunk = sequence.call->chunk();
    const auto begin = chunk.ids.begin() + sequence.offset;
    ids_.insert(ids_.end(), begin, begin + sequence.tokens);
    cu_seqlens_.push_back(static_cast<int32_t>(ids_.size()));
    if (chunk.token_types.empty()) {
      token_types_.resize(ids_.size(), 0);
    } else {
      const auto types = chunk.token_types.begin() + sequence.offset;
      token_types_.insert(token_types_.end(), types, types + sequence.tokens);
    }
    specs_.push_back(row_spec(chunk, sequence));
    stats_.queue_seconds.Observe(std::chrono::duration<double>(now - sequence.enqueued).count());
  }
}

rose::LazyTensor Runner::step(const GraphPlan& plan, const rose::Batch& batch) {
  if (plan.evicted) {
    graphs_.erase(*plan.evicted);
    stats_.graphs_evicted.Increment();
  }
  if (plan.action == GraphAction::kEager) {
    stats_.batches_eager.Increment();
    return engine_.step(batch);
  }
  std::shared_ptr<const rose::Graph>& graph = graphs_[plan.key];
  if (plan.action == GraphAction::kCapture) {
    graph = engine_.capture({plan.key.tokens, plan.key.slots, plan.key.longest});
    stats_.batches_captured.Increment();
  } else {
    stats_.batches_replayed.Increment();
  }
  stats_.graphs.Set(static_cast<double>(graphs_.size()));
  stats_.padding_tokens.Increment(plan.key.tokens - static_cast<double>(batch.ids.size()));
  return engine_.step(batch, graph);
}

void Runner::run(std::vector<QueuedSequence> batch) {
  gather(batch);
  const auto tokens = static_cast<int32_t>(ids_.size());
  int32_t longest = 0;
  for (const QueuedSequence& sequence : batch) longest = std::max(longest, sequence.tokens);
  const GraphPlan plan = policy_.plan(static_cast<int32_t>(batch.size()), tokens, longest);
  const Clock::time_point started = Clock::now();
  rose::LazyTensor result = step(plan, {ids_, cu_seqlens_, token_types_, specs_});
  stats_.tokens.Increment(tokens);
  stats_.batch_tokens.Observe(tokens);
  stats_.batch_sequences.Observe(static_cast<double>(batch.size()));
  stats_.batch_fill.Observe(static_cast<double>(tokens) / saturation_tokens());
  completion_->push({std::move(result), std::move(batch), tokens, started});
}

Load Runner::batch_done(int64_t tokens, std::chrono::microseconds busy) {
  std::lock_guard lock(mutex_);
  in_flight_.pop_front();
  stats_.in_flight.Set(static_cast<double>(in_flight_.size()));
  if (tokens > 0) {
    const double rate = static_cast<double>(tokens) * 1e6 / std::max<double>(1, static_cast<double>(busy.count()));
    tokens_per_second_ += (tokens_per_second_ == 0 ? 1 : kRateWeight) * (rate - tokens_per_second_);
  }
  // Else nobody is waiting for it, and waking the runner would hold up the replies.
  if (!scheduler_.empty() || draining_) changed_.notify_all();
  return load_locked();
}

}  // namespace bouquet::tulip
