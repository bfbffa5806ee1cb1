// What ivy::Gateway does with a job once its texts are tokens, on a virtual clock: the real splitter, lanes, pacing,
// fleet and join.
#pragma once

#include <functional>
#include <memory>

#include "ivy/fleet/fleet.h"
#include "simulate/event_loop.h"
#include "simulate/workload.h"

namespace bouquet::simulate {

struct GatewayOptions {
  int32_t chunk_tokens = 1024;  // at most; a request above it is bulk
  bool chunked = true;          // false: each request goes to one replica, whole
  double timeout_seconds = 60;  // of a request
};

// A request's answer.
struct Answer {
  absl::Status status;
  bool complete = false;  // every text's row is there, in its place
  bool bulk = false;      // above the tokens of a chunk
  int64_t tokens = 0;
  Clock::duration latency{0};
  uint64_t chunks = 0;
  uint64_t attempts = 0;  // chunks sent, counting those that were sent again
};

class Gateway {
 public:
  Gateway(EventLoop& loop, std::shared_ptr<ivy::Fleet> fleet, GatewayOptions options)
      : loop_(loop), fleet_(std::move(fleet)), options_(options) {}

  // `answered` is called once.
  void run(const Request& request, std::function<void(const Answer&)> answered);

  ivy::Fleet& fleet() { return *fleet_; }

 private:
  struct Job;
  void send_next(const std::shared_ptr<Job>& job);
  void arrived(const std::shared_ptr<Job>& job, size_t chunk, absl::StatusOr<tulip::Reply> reply);

  EventLoop& loop_;
  const std::shared_ptr<ivy::Fleet> fleet_;
  const GatewayOptions options_;
};

}  // namespace bouquet::simulate
