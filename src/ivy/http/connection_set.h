// The open connections, so that draining can reach each and wait for the last.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace bouquet::ivy::http {

// One connection, as draining sees it. Both may be called from any thread.
class Drainable {
 public:
  virtual ~Drainable() = default;
  virtual void drain() = 0;  // finish the request in flight, then close
  virtual void abort() = 0;  // close now
};

class ConnectionSet {
 public:
  explicit ConnectionSet(size_t capacity) : capacity_(capacity) {}

  // False when draining has begun or the set is full: the connection must be closed.
  bool add(const std::shared_ptr<Drainable>& connection);
  void remove(Drainable* connection);

  // Tells all to drain, waits, and cuts off those that are left after `patience`. No connection is open afterwards.
  void drain(std::chrono::milliseconds patience);

  size_t size() const;

 private:
  void tell_all(void (Drainable::*what)());

  const size_t capacity_;
  mutable std::mutex mutex_;
  std::condition_variable left_;
  std::unordered_map<Drainable*, std::weak_ptr<Drainable>> open_;  // under mutex_, as is draining_
  bool draining_ = false;
};

// A connection's place in the set: left when it is destroyed. Being a connection's first member it is destroyed last,
// so that an empty set means that nothing of any connection is left.
class Membership {
 public:
  Membership(ConnectionSet& set, Drainable* connection) : set_(set), connection_(connection) {}
  ~Membership() { set_.remove(connection_); }
  Membership(const Membership&) = delete;
  Membership& operator=(const Membership&) = delete;

 private:
  ConnectionSet& set_;
  Drainable* const connection_;
};

}  // namespace bouquet::ivy::http
