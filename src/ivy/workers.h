// A few named threads that take work in the order it came. Destroying it finishes what was posted, then joins.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "ivy/executor.h"

namespace bouquet::ivy {

class Workers {
 public:
  // `name` is cut to what the system shows (15 bytes). `capacity`: most pieces waiting.
  Workers(const std::string& name, int threads, size_t capacity);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  // False, without keeping the work, when too much is waiting.
  bool try_post(Work work);
  // For what must not be lost: never refused.
  void post(Work work);

 private:
  void loop();

  const size_t capacity_;
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<Work> waiting_;  // under mutex_
  bool closing_ = false;      // under mutex_
  std::vector<std::thread> threads_;
};

}  // namespace bouquet::ivy
