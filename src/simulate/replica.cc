// Runner, Completion and Engine in one thread.
#include "simulate/replica.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace bouquet::simulate {
namespace {

constexpr size_t kInFlight = 2;
constexpr double kRateWeight = 0.2;  // of a new batch in the moving average, as in Runner

tulip::SchedulerOptions scheduler_options(const Cost& cost) {
  return {.mixed_budget = cost.batch_tokens, .bulk_budget = std::max(cost.batch_tokens, cost.bulk_tokens)};
}

uint64_t microseconds(Clock::duration duration) { return static_cast<uint64_t>(to_seconds(duration) * 1e6); }

}  // namespace

Replica::Replica(EventLoop& loop, const ReplicaOptions& options)
    : loop_(loop),
      options_(options),
      admission_(options.admission),
      scheduler_(std::make_unique<tulip::Scheduler>(scheduler_options(options.cost))) {}

void Replica::run(tulip::Chunk chunk, tulip::CallOptions options, tulip::Done done) {
  const auto tokens = std::accumulate(chunk.lengths.begin(), chunk.lengths.end(), int64_t{0});
  const absl::Status status =
      admission_.check(tokens, scheduler_->queued_tokens(), tokens_per_second_, chunk.continues);
  if (!status.ok()) {
    ++counts_.refused;
    return done(status);
  }
  const auto call = std::make_shared<tulip::Call>(std::move(chunk), std::move(options), std::move(done), 1);
  const std::vector<int32_t>& lengths = call->chunk().lengths;
  for (size_t i = 0; i < lengths.size(); ++i) {
    scheduler_->push({call, static_cast<int32_t>(i), 0, lengths[i], call->chunk().lane, loop_.now()}, loop_.now());
  }
  counts_.largest_chunk = std::max(counts_.largest_chunk, tokens);
  counts_.most_queued = std::max(counts_.most_queued, scheduler_->queued_tokens());
  start_what_can();
}

void Replica::start_what_can() {
  while (!scheduler_->empty() && in_flight_.size() < kInFlight) {
    std::vector<tulip::QueuedSequence> batch = scheduler_->take(loop_.now());
    std::erase_if(batch, [&](const tulip::QueuedSequence& sequence) {
      const absl::Status wanted = sequence.call->wanted(loop_.now());
      if (!wanted.ok()) sequence.call->abandon(wanted);
      return !wanted.ok();
    });
    if (!batch.empty()) enqueue(std::move(batch));
  }
}

void Replica::enqueue(std::vector<tulip::QueuedSequence> sequences) {
  Batch batch{.sequences = std::move(sequences), .enqueued = loop_.now(), .begun = std::max(loop_.now(), free_at_)};
  for (const tulip::QueuedSequence& sequence : batch.sequences) {
    batch.tokens += sequence.tokens;
    const double queued = to_seconds(loop_.now() - sequence.enqueued);
    counts_.longest_queue_seconds = std::max(counts_.longest_queue_seconds, queued);
  }
  free_at_ = batch.begun + to_duration(options_.cost.batch_seconds(batch.tokens) * slowness_);
  in_flight_.push_back(std::move(batch));
  loop_.after(free_at_ - loop_.now(), [this, life = life_] {
    if (life == life_) batch_done();
  });
}

void Replica::batch_done() {
  const Batch batch = std::move(in_flight_.front());
  in_flight_.pop_front();
  const double busy = to_seconds(loop_.now() - batch.begun);
  counts_.busy_seconds += busy;
  counts_.tokens += static_cast<uint64_t>(batch.tokens);
  const double rate = static_cast<double>(batch.tokens) / busy;
  tokens_per_second_ += (tokens_per_second_ == 0 ? 1 : kRateWeight) * (rate - tokens_per_second_);
  const tulip::Load now = load();
  start_what_can();
  deliver(batch, now);
}

void Replica::deliver(const Batch& batch, tulip::Load load) {
  for (const tulip::QueuedSequence& sequence : batch.sequences) {
    tulip::Call& call = *sequence.call;
    if (const absl::Status wanted = call.wanted(loop_.now()); !wanted.ok()) {
      call.abandon(wanted);
      continue;
    }
    const auto row = static_cast<float>(call.chunk().ids[static_cast<size_t>(sequence.index)]);
    const tulip::StageTimes times{microseconds(batch.enqueued - sequence.enqueued),
                                  microseconds(loop_.now() - batch.enqueued)};
    call.finish(sequence.index, {&row, 1}, times, load);
  }
}

tulip::Load Replica::load() const {
  return {static_cast<uint64_t>(scheduler_->queued_tokens()), static_cast<uint64_t>(tokens_per_second_)};
}

void Replica::crash(Clock::time_point noticed) {
  up_ = false;
  noticed_ = noticed;
  ++life_;
  tokens_per_second_ = 0;
  free_at_ = {};
  if (!in_flight_.empty()) counts_.busy_seconds += to_seconds(loop_.now() - in_flight_.front().begun);
  // Calls that are dropped answer by themselves.
  in_flight_.clear();
  scheduler_ = std::make_unique<tulip::Scheduler>(scheduler_options(options_.cost));
}

void Replica::restart() { up_ = true; }

}  // namespace bouquet::simulate
