// Keys, origins, counting.
#include "ivy/api/front.h"

#include <future>
#include <thread>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ivy/testing/harness.h"

namespace bouquet::ivy {
namespace {

using testing_fakes::Harness;
using testing_fakes::header_of;

class FrontTest : public testing::Test {
 protected:
  FrontTest() { keys_.read().value()(); }
  static http::RequestHead head(std::string method, std::string path, http::Headers headers = {}) {
    http::RequestHead head;
    head.method = std::move(method);
    head.path = std::move(path);
    head.headers = std::move(headers);
    return head;
  }
  Harness harness_{testing_fakes::embedder_card()};
  http::KeyRing keys_{{"secret"}, {}};
  http::Cors cors_{{"https://page.example"}};
  Front front_{harness_.router, keys_, cors_, false};
};

TEST_F(FrontTest, AsksForAKeyExceptAtTheOpenRoutes) {
  EXPECT_FALSE(front_.admit(head("GET", "/health")).has_value());
  EXPECT_FALSE(front_.admit(head("GET", "/ready")).has_value());
  EXPECT_EQ(front_.admit(head("GET", "/metrics"))->status, 401);
  EXPECT_EQ(front_.admit(head("POST", "/embed"))->status, 401);
  EXPECT_THAT(front_.admit(head("POST", "/embed"))->body, testing::HasSubstr("error_type"));
  EXPECT_EQ(front_.admit(head("GET", "/nowhere"))->status, 401);
  EXPECT_FALSE(front_.admit(head("POST", "/embed", {{"x-api-key", "secret"}})).has_value());
  EXPECT_EQ(front_.admit(head("GET", "/nowhere", {{"x-api-key", "secret"}}))->status, 404);
}

TEST_F(FrontTest, PreflightNeedsNoKey) {
  const auto reply = front_.admit(head(
      "OPTIONS", "/v1/embeddings", {{"origin", "https://page.example"}, {"access-control-request-method", "POST"}}));
  ASSERT_TRUE(reply.has_value());
  EXPECT_EQ(reply->status, 204);
  EXPECT_EQ(header_of(*reply, "access-control-allow-origin"), "https://page.example");
}

TEST_F(FrontTest, MarksRepliesForTheirOrigin) {
  http::Request request;
  request.head = head("GET", "/health", {{"origin", "https://page.example"}});
  std::promise<http::Response> promise;
  front_.handle(request, [&](http::Response response) { promise.set_value(std::move(response)); });
  EXPECT_EQ(header_of(promise.get_future().get(), "access-control-allow-origin"), "https://page.example");
  EXPECT_EQ(header_of(front_.refuse(request.head, absl::OutOfRangeError("big")), "access-control-allow-origin"),
            "https://page.example");
}

TEST_F(FrontTest, CountsByRouteAndStatus) {
  Counter& counter =
      metrics().counter("bouquet_http_requests_total", "", {{"route", "/v1/models/{id}"}, {"status", "404"}});
  Counter& client = metrics().counter("bouquet_errors_total", "", {{"cause", "client"}});
  const double before = counter.Value(), client_before = client.Value();
  const http::RequestHead request = head("GET", "/v1/models/abc");
  http::Exchange exchange{request};
  exchange.status = 404;
  exchange.cause = "client";
  front_.finished(exchange);
  EXPECT_EQ(counter.Value(), before + 1);
  EXPECT_EQ(client.Value(), client_before + 1);
}

TEST(Attendance, WaitsForTheLast) {
  Attendance attendance;
  auto ticket = attendance.enter();
  auto copy = ticket;
  std::thread leaver([&, held = std::move(copy)]() mutable {
    ticket.reset();
    held.reset();
  });
  attendance.wait_until_empty();
  leaver.join();
}

}  // namespace
}  // namespace bouquet::ivy
