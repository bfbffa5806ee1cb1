// Follows a peer's grpc.health.v1 for as long as it lives.
#pragma once

#include <memory>
#include <string>

#include "grpcpp/channel.h"

namespace bouquet::tulip {

class HealthWatch {
 public:
  // `peer` names it in the log.
  HealthWatch(std::shared_ptr<grpc::Channel> channel, std::string peer);
  ~HealthWatch();  // does not wait for the stream's end, so it may run on any thread
  HealthWatch(const HealthWatch&) = delete;
  HealthWatch& operator=(const HealthWatch&) = delete;

  // The last that was heard; false before that and while there is no connection.
  bool serving() const;

 private:
  struct State;
  class Stream;
  class Pause;
  std::shared_ptr<State> state_;
};

}  // namespace bouquet::tulip
