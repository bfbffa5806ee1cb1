// One queue, one condition variable.
#include "ivy/workers.h"

#include <pthread.h>

#include <utility>

namespace bouquet::ivy {

Workers::Workers(const std::string& name, int threads, size_t capacity) : capacity_(capacity) {
  for (int i = 0; i < threads; ++i) {
    threads_.emplace_back([this] { loop(); });
    pthread_setname_np(threads_.back().native_handle(), name.substr(0, 15).c_str());
  }
}

Workers::~Workers() {
  {
    std::lock_guard lock(mutex_);
    closing_ = true;
  }
  arrived_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

bool Workers::try_post(Work work) {
  {
    std::lock_guard lock(mutex_);
    if (waiting_.size() >= capacity_) return false;
    waiting_.push_back(std::move(work));
  }
  arrived_.notify_one();
  return true;
}

void Workers::post(Work work) {
  {
    std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(work));
  }
  arrived_.notify_one();
}

void Workers::loop() {
  std::unique_lock lock(mutex_);
  for (;;) {
    arrived_.wait(lock, [this] { return closing_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    Work work = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    work();
    work = nullptr;
    lock.lock();
  }
}

}  // namespace bouquet::ivy
