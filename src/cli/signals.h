// Signals as values: blocked in every thread and taken one by one with wait(); or, for work that ends between two
// steps, as a question.
#pragma once

#include <signal.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <initializer_list>

namespace bouquet::cli {

class SignalWatch {
 public:
  // Construct before any thread starts, so that all threads inherit the mask.
  explicit SignalWatch(std::initializer_list<int> signals) {
    sigemptyset(&set_);
    for (int signal : signals) sigaddset(&set_, signal);
    pthread_sigmask(SIG_BLOCK, &set_, &before_);
  }
  ~SignalWatch() { let_go(); }
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

  // From now on they do what they would do without this.
  void let_go() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

  // Blocks until one of them comes; its number.
  int wait() const {
    int signal = 0;
    while (sigwait(&set_, &signal) != 0) {
    }
    return signal;
  }

  // The same, but not for longer than that; 0 when none came.
  int wait_for(std::chrono::milliseconds most) const {
    const timespec time{most.count() / 1000, most.count() % 1000 * 1'000'000};
    return std::max(0, sigtimedwait(&set_, nullptr, &time));
  }

 private:
  sigset_t set_, before_;
};

// While one lives, the first Ctrl-C only answers seen(); the second ends the process as ever.
class InterruptWatch {
 public:
  InterruptWatch() {
    struct sigaction action {};
    action.sa_handler = [](int) { seen_ = true; };
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigaction(SIGINT, &action, &before_);
  }
  ~InterruptWatch() { sigaction(SIGINT, &before_, nullptr); }
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  bool seen() const { return seen_; }

 private:
  inline static std::atomic<bool> seen_{false};
  struct sigaction before_ {};
};

}  // namespace bouquet::cli
