// Threads that stay, so that what the tokenizer keeps for each of them stays warm from batch to batch.
//
//   ThreadPool::shared().run(threads, count, [&](size_t i) { ... });
#pragma once

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace bouquet::tokenizer {

class ThreadPool {
 public:
  // The process's own, never destroyed. A forked child has none of its parent's threads, so it begins another.
  static ThreadPool& shared() {
    static std::mutex mutex;
    static ThreadPool* pool = nullptr;
    [[maybe_unused]] static const int registered = pthread_atfork([] { mutex.lock(); }, [] { mutex.unlock(); },
                                                                  [] {
                                                                    pool = nullptr;
                                                                    mutex.unlock();
                                                                  });
    const std::lock_guard lock(mutex);
    if (pool == nullptr) pool = new ThreadPool();
    return *pool;
  }

  // Runs work(i) for all i < count, on this thread and up to `threads` - 1 others. work must not throw.
  void run(size_t threads, size_t count, const std::function<void(size_t)>& work) {
    if (threads < 2) return run_alone(count, work);
    const auto job = std::make_shared<Job>(count, work);
    invite(job, threads - 1);
    job->take_part();
    job->wait();
  }

 private:
  struct Job {
    Job(size_t its_count, const std::function<void(size_t)>& its_work) : count(its_count), work(its_work) {}

    void take_part() {
      for (size_t i = next++; i < count; i = next++) {
        work(i);
        if (++done == count) {
          const std::lock_guard lock(mutex);
          all_done.notify_all();
        }
      }
    }
    void wait() {
      std::unique_lock lock(mutex);
      all_done.wait(lock, [this] { return done == count; });
    }

    const size_t count;
    const std::function<void(size_t)>& work;  // the caller's: not called once all are done
    std::atomic<size_t> next = 0, done = 0;
    std::mutex mutex;
    std::condition_variable all_done;
  };

  static void run_alone(size_t count, const std::function<void(size_t)>& work) {
    for (size_t i = 0; i < count; ++i) work(i);
  }

  // Asks `others` threads to take part, which are started where there are too few.
  void invite(const std::shared_ptr<Job>& job, size_t others) {
    const std::lock_guard lock(mutex_);
    for (; started_ < others; ++started_) std::thread([this] { loop(); }).detach();
    invitations_.insert(invitations_.end(), others, job);
    invited_.notify_all();
  }

  void loop() {
    std::unique_lock lock(mutex_);
    while (true) {
      invited_.wait(lock, [this] { return !invitations_.empty(); });
      const std::shared_ptr<Job> job = std::move(invitations_.front());
      invitations_.pop_front();
      lock.unlock();
      job->take_part();
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable invited_;
  std::deque<std::shared_ptr<Job>> invitations_;  // under mutex_
  size_t started_ = 0;                            // under mutex_
};

}  // namespace bouquet::tokenizer
