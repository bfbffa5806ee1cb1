// /metrics, /health and /ready over HTTP, for a process that serves something else.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "ivy/http/listener.h"

namespace bouquet::cli {

class MetricsServer {
 public:
  // Listening when it returns, at "host:port". `is_ready` is asked at each /ready, from any thread.
  static absl::StatusOr<std::unique_ptr<MetricsServer>> start(const std::string& address,
                                                              std::function<bool()> is_ready);
  ~MetricsServer();
  int port() const { return listener_->port(); }

 private:
  class Pages;
  explicit MetricsServer(std::unique_ptr<Pages> pages);
  std::unique_ptr<Pages> pages_;
  std::unique_ptr<ivy::http::Listener> listener_;  // ends before the pages
};

}  // namespace bouquet::cli
