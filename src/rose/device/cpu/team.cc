// Fork, barrier, join: all three are one generation counter each, waited for by bounded spinning.
#include "rose/device/cpu/team.h"

#include <pthread.h>
#include <sched.h>

#include <string>

namespace bouquet::rose::cpu {
namespace {

constexpr int kBarrierSpins = 4000;  // about 100 us: longer than any balanced share lasts past the others
constexpr int kIdleSpins = 2000;     // about 50 us: the gap between two batches under load
constexpr int kYields = 20;

// Tells the processor that this is a loop that waits.
void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

void pin_to(int processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(processor, &set);
  pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
}

}  // namespace

void wait_for_change(std::atomic<uint32_t>& value, uint32_t old, int spins) {
  for (int i = 0; i < spins; ++i) {
    if (value.load(std::memory_order_acquire) != old) return;
    relax();
  }
  for (int i = 0; i < kYields; ++i) {
    if (value.load(std::memory_order_acquire) != old) return;
    sched_yield();
  }
  while (value.load(std::memory_order_acquire) == old) value.wait(old, std::memory_order_acquire);
}

Team::Team(int threads, std::vector<int> processors) : count_(threads), processors_(std::move(processors)) {
  for (int index = 1; index < count_; ++index) {
    threads_.emplace_back([this, index] { worker_loop(index); });
  }
}

Team::~Team() {
  stopping_ = true;
  change(region_);
}

void Team::pin_caller() const {
  if (!processors_.empty()) pin_to(processors_[0]);
}

void Team::run(std::span<const Work> works) {
  if (works.empty()) return;  // without a barrier a late worker could miss the region
  counter_.store(0, std::memory_order_relaxed);
  if (count_ > 1) {
    works_ = works;
    change(region_);
  }
  run_share(0, works);
}

void Team::run_share(int index, std::span<const Work> works) {
  Worker worker{index, count_, &counter_};
  for (const Work& work : works) {
    work(worker);
    barrier();
  }
}

// The last to arrive resets the counter before it opens the barrier, so the next work starts at piece 0.
void Team::barrier() {
  const uint32_t generation = generation_.load(std::memory_order_acquire);
  if (arrived_.fetch_add(1, std::memory_order_acq_rel) == count_ - 1) {
    arrived_.store(0, std::memory_order_relaxed);
    counter_.store(0, std::memory_order_relaxed);
    return change(generation_);
  }
  wait_for_change(generation_, generation, kBarrierSpins);
}

void Team::worker_loop(int index) {
  pthread_setname_np(pthread_self(), ("rose-" + std::to_string(index)).c_str());
  if (static_cast<size_t>(index) < processors_.size()) pin_to(processors_[index]);
  for (uint32_t seen = 0;; ++seen) {
    wait_for_change(region_, seen, kIdleSpins);
    if (stopping_) return;
    run_share(index, works_);
  }
}

}  // namespace bouquet::rose::cpu
