// Every reply leaves through here, refused or not.
#include "ivy/api/front.h"

#include <chrono>

#include "base/log.h"
#include "base/trace_context.h"
#include "fmt/format.h"
#include "ivy/failure.h"
#include "ivy/meters.h"

namespace bouquet::ivy {
namespace {

constexpr int kStatuses[] = {200, 204, 400, 401, 404, 405, 408, 413, 422, 424, 429, 431, 499, 500, 503, 504};
constexpr std::string_view kNoRoute = "none";

double seconds(http::Clock::duration duration) { return std::chrono::duration<double>(duration).count(); }

}  // namespace

Attendance::Ticket Attendance::enter() {
  std::lock_guard lock(mutex_);
  ++present_;
  return Ticket(nullptr, [this](void*) {
    std::lock_guard leaving(mutex_);
    if (--present_ == 0) left_.notify_all();
  });
}

void Attendance::wait_until_empty() {
  std::unique_lock lock(mutex_);
  left_.wait(lock, [this] { return present_ == 0; });
}

Front::Front(const Router& router, const http::KeyRing& keys, const http::Cors& cors, bool access_log)
    : router_(router), keys_(keys), cors_(cors), access_log_(access_log) {
  const auto add = [this](std::string_view route) {
    for (const int status : kStatuses) {
      requests_[{route, status}] =
          &metrics().counter("bouquet_http_requests_total", "HTTP requests answered, by route and status",
                             {{"route", std::string(route)}, {"status", std::to_string(status)}});
    }
  };
  for (const Route& route : router_.routes()) add(route.path);
  add(kNoRoute);
}

Front::~Front() { attendance_.wait_until_empty(); }

std::string_view Front::route_name(const http::RequestHead& head) const {
  const Route* route = router_.find(head.path);
  return route == nullptr ? kNoRoute : route->path;
}

std::optional<http::Response> Front::gate(const http::RequestHead& head) const {
  if (std::optional<http::Response> preflight = cors_.preflight(head)) return preflight;
  const Route* route = router_.find(head.path);
  const bool open = route != nullptr && route->open;
  if (!open && !keys_.admits(head)) {
    return router_.refuse(
        head, absl::UnauthenticatedError("a valid API key is needed: send it as \"Authorization: Bearer KEY\""));
  }
  return router_.admit(head);
}

std::optional<http::Response> Front::admit(const http::RequestHead& head) {
  std::optional<http::Response> refused = gate(head);
  if (refused) cors_.mark(head, &*refused);
  return refused;
}

void Front::handle(http::Request request, http::Respond respond) {
  http::Respond answer = [respond = std::move(respond), ticket = attendance_.enter()](http::Response reply) {
    respond(std::move(reply));
  };
  if (!request.head.header("origin").empty()) {
    answer = [this, head = request.head, answer = std::move(answer)](http::Response reply) {
      cors_.mark(head, &reply);
      answer(std::move(reply));
    };
  }
  router_.handle(std::move(request), std::move(answer));
}

http::Response Front::refuse(const http::RequestHead& head, const absl::Status& status) {
  http::Response response = router_.refuse(head, status);
  cors_.mark(head, &response);
  return response;
}

void Front::finished(const http::Exchange& exchange) {
  const std::string_view route = route_name(exchange.head);
  const auto counter = requests_.find({route, exchange.status});
  if (counter != requests_.end()) counter->second->Increment();
  meters().count_error(exchange.cause);
  meters().write.Observe(seconds(exchange.write));
  meters().total.Observe(seconds(exchange.total));
  if (!access_log_) return;
  log_info("request", {{"id", exchange.head.id},
                       {"method", exchange.head.method},
                       {"path", exchange.head.path},
                       {"status", std::to_string(exchange.status)},
                       {"ms", fmt::format("{:.2f}", seconds(exchange.total) * 1e3)},
                       {"tokens", std::to_string(exchange.tokens)},
                       {"truncated", std::to_string(exchange.truncated)},
                       {"bytes_in", std::to_string(exchange.bytes_in)},
                       {"bytes_out", std::to_string(exchange.bytes_out)},
                       {"cause", std::string(exchange.cause)},
                       {"trace_id", std::string(trace_id_of(exchange.head.header(kTraceParent)))},
                       {"peer", exchange.head.peer}});
}

}  // namespace bouquet::ivy
