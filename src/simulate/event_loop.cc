// A heap of times; the tasks lie beside it, so that the heap moves small entries.
#include "simulate/event_loop.h"

#include <utility>

namespace bouquet::simulate {

void EventLoop::after(Clock::duration delay, Task task) {
  size_t slot = tasks_.size();
  if (free_.empty()) {
    tasks_.push_back(std::move(task));
  } else {
    slot = free_.back();
    free_.pop_back();
    tasks_[slot] = std::move(task);
  }
  events_.push({now_ + delay, given_++, slot});
}

bool EventLoop::step() {
  if (events_.empty()) return false;
  const Event event = events_.top();
  events_.pop();
  now_ = event.at;
  Task task = std::exchange(tasks_[event.slot], nullptr);
  free_.push_back(event.slot);
  task();
  return true;
}

}  // namespace bouquet::simulate
