// Signals as values: blocked in every thread, taken one by one with wait().
#pragma once

#include <signal.h>

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
  ~SignalWatch() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

  // Blocks until one of them comes; its number.
  int wait() const {
    int signal = 0;
    while (sigwait(&set_, &signal) != 0) {
    }
    return signal;
  }

 private:
  sigset_t set_, before_;
};

}  // namespace bouquet::cli
