// A virtual clock: tasks run one after the other, each at its time, and the clock stands at the time of the one that
// runs. Tasks for the same time run in the order they were given, so a run depends on nothing but what is put in.
#pragma once

#include <cstdint>
#include <queue>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "tulip/client.h"

namespace bouquet::simulate {

using tulip::Clock;

class EventLoop {
 public:
  using Task = absl::AnyInvocable<void()>;

  Clock::time_point now() const { return now_; }
  void after(Clock::duration delay, Task task);
  // Runs the next task; false when there is none.
  bool step();
  void run() {
    while (step()) continue;
  }

 private:
  struct Event {
    Clock::time_point at;
    uint64_t order;
    size_t slot;                                // of tasks_
    bool operator<(const Event& other) const {  // the earliest on top
      return at != other.at ? at > other.at : order > other.order;
    }
  };

  // Some time after the clock's zero, which stands for "never" here and there.
  Clock::time_point now_ = Clock::time_point() + std::chrono::hours(1);
  std::priority_queue<Event> events_;
  std::vector<Task> tasks_;
  std::vector<size_t> free_;  // slots
  uint64_t given_ = 0;
};

}  // namespace bouquet::simulate
