// One thread, one batch after the other.
#include "tulip/completion.h"

#include <pthread.h>

#include <cmath>

#include "base/log.h"
#include "base/trace_context.h"
#include "tulip/call.h"

namespace bouquet::tulip {
namespace {

using std::chrono::duration_cast;
using std::chrono::microseconds;

}  // namespace

bool is_sound(std::span<const float> values, size_t width, Output output) {
  for (; !values.empty(); values = values.subspan(width)) {
    bool any = output != Output::kEmbedding;
    for (const float value : values.first(width)) {
      if (!std::isfinite(value)) return false;
      any |= value != 0;
    }
    if (!any) return false;
  }
  return true;
}

Completion::Completion(Stats& stats, BatchDone batch_done)
    : stats_(stats), batch_done_(std::move(batch_done)), thread_([this] { loop(); }) {}

Completion::~Completion() {
  {
    std::lock_guard lock(mutex_);
    closing_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Completion::push(InFlightBatch batch) {
  {
    std::lock_guard lock(mutex_);
    pending_.push_back(std::move(batch));
  }
  changed_.notify_all();
}

void Completion::flush() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return pending_.empty() && !delivering_; });
}

void Completion::loop() {
  pthread_setname_np(pthread_self(), "tulip-done");
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return closing_ || !pending_.empty(); });
    if (pending_.empty()) return;
    {
      const InFlightBatch batch = std::move(pending_.front());
      pending_.pop_front();
      delivering_ = true;
      lock.unlock();
      deliver(batch);
    }
    lock.lock();
    delivering_ = false;
    changed_.notify_all();
  }
}

void Completion::deliver(const InFlightBatch& batch) {
  const absl::Status device = batch.result.wait();
  const Clock::time_point now = Clock::now();
  const auto latency = duration_cast<microseconds>(now - batch.started);
  const auto busy = duration_cast<microseconds>(now - std::max(batch.started, last_done_));
  last_done_ = now;
  stats_.compute_seconds.Observe(std::chrono::duration<double>(latency).count());
  const Load load = batch_done_(device.ok() ? batch.tokens : 0, busy);
  for (size_t i = 0; i < batch.sequences.size(); ++i) {
    const QueuedSequence& sequence = batch.sequences[i];
    Call& call = *sequence.call;
    if (!device.ok()) {  // of the whole call, so that a gateway takes it elsewhere
      call.abandon(absl::InternalError("the device failed: " + std::string(device.message())));
      continue;
    }
    if (const absl::Status wanted = call.wanted(now); !wanted.ok()) {
      (absl::IsCancelled(wanted) ? stats_.dropped_cancelled : stats_.dropped_deadline).Increment();
      call.abandon(wanted);
      continue;
    }
    const std::span<const float> values = batch.result.values(static_cast<int32_t>(i));
    if (!is_sound(values, static_cast<size_t>(call.row_size()), call.chunk().spec.output)) {
      stats_.nonfinite.Increment();
      log_error(
          "the model gave a vector that is not finite or all zero",
          {{"request", call.chunk().request_id}, {"trace_id", std::string(trace_id_of(call.chunk().traceparent))}});
      call.fail(sequence.index, absl::InternalError("the model gave no finite vector for this input"), load);
      continue;
    }
    const auto queued = duration_cast<microseconds>(batch.started - sequence.enqueued);
    call.finish(sequence.index, values, {static_cast<uint64_t>(queued.count()), static_cast<uint64_t>(latency.count())},
                load);
  }
}

}  // namespace bouquet::tulip
