// Three pages.
#include "cli/metrics_server.h"

#include "absl/strings/numbers.h"
#include "base/metrics.h"
#include "base/status.h"
#include "fmt/format.h"

namespace bouquet::cli {
namespace {

namespace http = ivy::http;

http::Response page(int status, std::string body, std::string content_type) {
  http::Response response;
  response.status = status;
  response.body = std::move(body);
  response.content_type = std::move(content_type);
  return response;
}

http::Response state(int status, std::string_view state) {
  return page(status, fmt::format(R"({{"status":"{}"}})", state), "application/json");
}

}  // namespace

class MetricsServer::Pages : public http::Handler {
 public:
  explicit Pages(std::function<bool()> is_ready) : is_ready_(std::move(is_ready)) {}

  std::optional<http::Response> admit(const http::RequestHead& head) override {
    if (head.method == "GET" || head.method == "HEAD") return std::nullopt;
    return page(405, "only GET\n", "text/plain");
  }
  void handle(http::Request request, http::Respond respond) override {
    const std::string& path = request.head.path;
    if (path == "/metrics") return respond(page(200, metrics().render(), "text/plain; version=0.0.4; charset=utf-8"));
    if (path == "/health") return respond(state(200, "alive"));
    if (path != "/ready") return respond(page(404, "/metrics, /health, /ready\n", "text/plain"));
    respond(is_ready_() ? state(200, "ready") : state(503, "not ready"));
  }
  http::Response refuse(const http::RequestHead&, const absl::Status& status) override {
    return page(400, std::string(status.message()) + "\n", "text/plain");
  }
  void finished(const http::Exchange&) override {}

 private:
  const std::function<bool()> is_ready_;
};

absl::StatusOr<std::unique_ptr<MetricsServer>> MetricsServer::start(const std::string& address,
                                                                    std::function<bool()> is_ready) {
  http::ListenOptions listen;
  const size_t colon = address.rfind(':');
  if (colon == std::string::npos || !absl::SimpleAtoi(address.substr(colon + 1), &listen.port)) {
    return absl::InvalidArgumentError(fmt::format("{} is no host:port", address));
  }
  listen.host = address.substr(0, colon);
  if (listen.host.starts_with('[') && listen.host.ends_with(']'))
    listen.host = listen.host.substr(1, listen.host.size() - 2);
  std::unique_ptr<MetricsServer> server(new MetricsServer(std::make_unique<Pages>(std::move(is_ready))));
  ASSIGN_OR_RETURN(server->listener_, http::Listener::start(listen, {}, *server->pages_));
  return server;
}

MetricsServer::MetricsServer(std::unique_ptr<Pages> pages) : pages_(std::move(pages)) {}

MetricsServer::~MetricsServer() = default;

}  // namespace bouquet::cli
