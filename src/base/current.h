// A value that is replaced whole while others read it: a reader keeps the one it got.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <utility>

namespace bouquet {

template <class T>
class Current {
 public:
  explicit Current(std::shared_ptr<const T> value) : value_(std::move(value)) {}

  std::shared_ptr<const T> get() const {
    std::lock_guard lock(mutex_);
    return value_;
  }
  void set(std::shared_ptr<const T> value) {
    std::lock_guard lock(mutex_);
    value_.swap(value);
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const T> value_;  // under mutex_
};

// What a reload will do, once all that it reads has been found good: several of them happen together or not at all.
using Change = std::function<void()>;

}  // namespace bouquet
