// The set owns no connection: it only reaches those that still live.
#include "ivy/http/connection_set.h"

#include <vector>

#include "ivy/meters.h"

namespace bouquet::ivy::http {

bool ConnectionSet::add(const std::shared_ptr<Drainable>& connection) {
  std::lock_guard lock(mutex_);
  if (draining_ || open_.size() >= capacity_) return false;
  open_.emplace(connection.get(), connection);
  meters().connections.Increment();
  return true;
}

void ConnectionSet::remove(Drainable* connection) {
  std::lock_guard lock(mutex_);
  if (open_.erase(connection) > 0) meters().connections.Decrement();
  left_.notify_all();
}

// Outside the lock: a connection whose last owner is here takes the lock to leave.
void ConnectionSet::tell_all(void (Drainable::*what)()) {
  std::vector<std::shared_ptr<Drainable>> alive;
  {
    std::lock_guard lock(mutex_);
    for (const auto& [pointer, connection] : open_) alive.push_back(connection.lock());
  }
  for (const auto& connection : alive) {
    if (connection) (connection.get()->*what)();
  }
}

void ConnectionSet::drain(std::chrono::milliseconds patience) {
  {
    std::lock_guard lock(mutex_);
    draining_ = true;
  }
  tell_all(&Drainable::drain);
  const auto none = [this] { return open_.empty(); };
  {
    std::unique_lock lock(mutex_);
    if (left_.wait_for(lock, patience, none)) return;
  }
  tell_all(&Drainable::abort);
  std::unique_lock lock(mutex_);
  left_.wait(lock, none);
}

size_t ConnectionSet::size() const {
  std::lock_guard lock(mutex_);
  return open_.size();
}

}  // namespace bouquet::ivy::http
