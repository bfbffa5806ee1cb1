// Ivy's front door: keys and origins are checked, requests counted and logged; what remains is the router's.
#pragma once

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/metrics.h"
#include "ivy/api/router.h"
#include "ivy/http/cors.h"
#include "ivy/http/key_ring.h"
#include "ivy/http/message.h"

namespace bouquet::ivy {

// How many requests are still being worked on, whether or not their client is still there.
class Attendance {
 public:
  // Present for as long as a copy of it lives.
  using Ticket = std::shared_ptr<void>;
  Ticket enter();
  void wait_until_empty();

 private:
  std::mutex mutex_;
  std::condition_variable left_;
  int64_t present_ = 0;  // under mutex_
};

class Front : public http::Handler {
 public:
  // All must outlive it.
  Front(const Router& router, const http::KeyRing& keys, const http::Cors& cors, bool access_log);
  ~Front() override;  // waits for the requests that are still worked on

  std::optional<http::Response> admit(const http::RequestHead& head) override;
  void handle(http::Request request, http::Respond respond) override;
  http::Response refuse(const http::RequestHead& head, const absl::Status& status) override;
  void finished(const http::Exchange& exchange) override;

 private:
  std::string_view route_name(const http::RequestHead& head) const;
  std::optional<http::Response> gate(const http::RequestHead& head) const;

  const Router& router_;
  const http::KeyRing& keys_;
  const http::Cors& cors_;
  const bool access_log_;
  Attendance attendance_;
  std::map<std::pair<std::string_view, int>, Counter*> requests_;  // by route and status
};

}  // namespace bouquet::ivy
