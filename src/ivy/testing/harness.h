// A gateway over a fake Tulip, as the only model of a catalog, behind the real router: requests in, replies out, no
// socket.
#pragma once

#include <future>
#include <memory>
#include <string>
#include <utility>

#include "ivy/api/front.h"
#include "ivy/api/router.h"
#include "ivy/testing/fakes.h"
#include "simdjson.h"

namespace bouquet::ivy::testing_fakes {

class Harness {
 public:
  explicit Harness(tulip::ModelCard card, GatewayOptions gateway_options = {}, ApiOptions api_options = {})
      : client(std::make_shared<FakeClient>(std::move(card))),
        gateway(make_gateway({client}, std::move(gateway_options))),
        catalog(Catalog::create({{gateway->model().name, {}, gateway}}).value()),
        router(catalog, api_options) {}
  ~Harness() { attendance_.wait_until_empty(); }  // as Front does

  http::Response send(std::string method, std::string path, std::string body = "") {
    http::Request request;
    request.head.method = std::move(method);
    request.head.path = std::move(path);
    request.head.id = "id-1";
    if (auto refused = router.admit(request.head)) return *std::move(refused);
    request.body = std::move(body);
    request.received = http::Clock::now();
    request.deadline = request.received + std::chrono::seconds(60);
    std::promise<http::Response> promise;
    router.handle(std::move(request), [&promise, ticket = attendance_.enter()](http::Response response) {
      promise.set_value(std::move(response));
    });
    return promise.get_future().get();
  }
  http::Response post(std::string path, std::string body) { return send("POST", std::move(path), std::move(body)); }

  std::shared_ptr<FakeClient> client;
  const std::shared_ptr<Gateway> gateway;
  Current<Catalog> catalog;  // the one model's, at first
  Router router;

 private:
  Attendance attendance_;
};

inline std::string header_of(const http::Response& response, std::string_view name) {
  for (const auto& [key, value] : response.headers) {
    if (key == name) return value;
  }
  return "none";
}

// A parsed reply: json["data"].at(0)["index"] and so on.
struct Parsed {
  explicit Parsed(const http::Response& response) : text(response.body) { root = parser.parse(text); }
  auto operator[](std::string_view key) const { return root[key]; }
  simdjson::dom::parser parser;
  std::string text;
  simdjson::dom::element root;
};

}  // namespace bouquet::ivy::testing_fakes
