// A team of worker threads that runs a list of works in order, all threads on each work, with light barriers between.
// A barrier spins for some microseconds, then yields, then sleeps: cheap when all run, harmless when descheduled.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <thread>
#include <vector>

namespace bouquet::rose::cpu {

// One thread's view of the work it takes part in.
struct Worker {
  int index;  // 0 ... count-1
  int count;
  std::atomic<int64_t>* counter;  // shared by the team, 0 when a work starts

  // The next of the work's pieces nobody has taken; stop when it is past the last. Handing out small pieces keeps one
  // descheduled thread from holding up the rest.
  [[gnu::always_inline]] int64_t claim() { return counter->fetch_add(1, std::memory_order_relaxed); }
};

using Work = std::function<void(Worker&)>;

class Team {
 public:
  // `processors`: where each thread is pinned, the caller's own thread first; empty: nowhere.
  Team(int threads, std::vector<int> processors);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  // Runs the works one after the other; returns when all are done. The caller is worker 0; one caller at a time.
  void run(std::span<const Work> works);

  int size() const { return count_; }
  void pin_caller() const;

 private:
  void worker_loop(int index);
  void run_share(int index, std::span<const Work> works);
  void barrier();

  const int count_;
  const std::vector<int> processors_;
  alignas(64) std::atomic<uint32_t> region_{0};      // bumped to start a region
  alignas(64) std::atomic<uint32_t> generation_{0};  // bumped when a barrier opens
  alignas(64) std::atomic<int> arrived_{0};
  alignas(64) std::atomic<int64_t> counter_{0};
  std::span<const Work> works_;  // of the current region; written before region_ is bumped
  bool stopping_ = false;        // likewise
  std::vector<std::jthread> threads_;
};

// Changes `value` and wakes all who wait for that. Sequentially consistent: with a release alone the change could still
// be on its way when it is looked whether anybody sleeps, and one who just lies down would never be woken.
inline void change(std::atomic<uint32_t>& value) {
  value.fetch_add(1, std::memory_order_seq_cst);
  value.notify_all();
}

// Spins, then yields, then sleeps until `value` differs from `old`. `spins` bounds the first part (about 30 ns each).
void wait_for_change(std::atomic<uint32_t>& value, uint32_t old, int spins);

}  // namespace bouquet::rose::cpu
