// The whole of Ivy over loopback, with a fake Tulip behind it.
#include "ivy/server.h"

#include <thread>

#include "base/metrics.h"
#include "base/testing/scratch_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ivy/testing/fakes.h"
#include "ivy/testing/raw_client.h"

namespace bouquet::ivy {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using testing_fakes::embedder_card;
using testing_fakes::FakeClient;
using testing_fakes::make_gateway;
using testing_fakes::RawClient;

std::string post(std::string_view path, const std::string& body, std::string_view headers = "") {
  return "POST " + std::string(path) + " HTTP/1.1\r\nHost: x\r\n" + std::string(headers) +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

class ServerTest : public testing::Test {
 protected:
  void serve(ServerOptions options = {}) {
    options.port = 0;
    options.access_log = false;
    auto server = Server::start(std::move(options), catalog_);
    ASSERT_TRUE(server.ok()) << server.status();
    server_ = *std::move(server);
  }
  std::string exchange(std::string_view bytes) {
    RawClient client(server_->port());
    client.send(bytes);
    return client.read_reply();
  }

  std::shared_ptr<FakeClient> tulip_ = std::make_shared<FakeClient>(embedder_card());
  const Current<Catalog> catalog_{Catalog::create({{"fake/model", {}, make_gateway({tulip_})}}).value()};
  std::unique_ptr<Server> server_;
};

TEST_F(ServerTest, EmbedsOverHttp) {
  serve();
  EXPECT_EQ(server_->url(), "http://127.0.0.1:" + std::to_string(server_->port()));
  const std::string reply = exchange(post("/v1/embeddings", R"({"input":["two kinds of traffic","one engine"]})"));
  EXPECT_THAT(reply, StartsWith("HTTP/1.1 200 OK"));
  EXPECT_THAT(reply, HasSubstr(R"("object":"list")"));
  EXPECT_THAT(exchange(post("//v1/embeddings/", R"({"input":"a"})", "Content-Type: text/plain\r\n")),
              StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(exchange("GET /v1/models/fake%2Fmodel HTTP/1.1\r\n\r\n"), StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(exchange("GET /v1/embeddings HTTP/1.1\r\n\r\n"), HasSubstr("allow: POST, OPTIONS"));
  EXPECT_THAT(exchange("GET /metrics HTTP/1.1\r\n\r\n"), HasSubstr("bouquet_http_requests_total"));
}

TEST_F(ServerTest, EveryDialectRefusesLargeBodiesInItsOwnShape) {
  ServerOptions options;
  options.max_body_bytes = 100;
  serve(options);
  const std::string body(200, 'x');
  EXPECT_THAT(exchange(post("/v1/embeddings", body)),
              testing::AllOf(StartsWith("HTTP/1.1 413"), HasSubstr("\"error\":{")));
  EXPECT_THAT(exchange(post("/embed", body)), testing::AllOf(StartsWith("HTTP/1.1 413"), HasSubstr("error_type")));
  EXPECT_THAT(exchange(post("/v1/rerank", body)),
              testing::AllOf(StartsWith("HTTP/1.1 413"), HasSubstr("\"object\":\"error\"")));
}

TEST_F(ServerTest, ChecksKeysAndReloadsThem) {
  const ScratchFolder folder;
  ServerOptions options;
  options.api_key_file = folder.write("keys", "old\n");
  options.cors_origins = {"*"};
  serve(options);
  const std::string body = R"({"input":"a"})";
  EXPECT_THAT(exchange(post("/v1/embeddings", body)), HasSubstr("invalid_api_key"));
  EXPECT_THAT(exchange(post("/v1/embeddings", body, "Authorization: Bearer old\r\n")), StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(exchange("GET /health HTTP/1.1\r\n\r\n"), StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(
      exchange("OPTIONS /v1/embeddings HTTP/1.1\r\nOrigin: https://a\r\nAccess-Control-Request-Method: POST\r\n\r\n"),
      testing::AllOf(StartsWith("HTTP/1.1 204"), HasSubstr("access-control-allow-origin: *")));
  folder.write("keys", "new\n");
  const Change let_in = server_->read_files().value();
  EXPECT_THAT(exchange(post("/v1/embeddings", body, "x-api-key: old\r\n")), StartsWith("HTTP/1.1 200"));
  let_in();
  EXPECT_THAT(exchange(post("/v1/embeddings", body, "x-api-key: old\r\n")), StartsWith("HTTP/1.1 401"));
  EXPECT_THAT(exchange(post("/v1/embeddings", body, "x-api-key: new\r\n")), StartsWith("HTTP/1.1 200"));
}

TEST_F(ServerTest, CountsEachRequestOnce) {
  serve();
  Counter& counter =
      metrics().counter("bouquet_http_requests_total", "", {{"route", "/similarity"}, {"status", "422"}});
  EXPECT_EQ(counter.Value(), 0);
  RawClient client(server_->port());
  for (int i = 1; i <= 3; ++i) {
    client.send(post("/similarity", "{}"));
    client.read_reply();
    client.send("GET /health HTTP/1.1\r\n\r\n");  // answered only after the request before it is over
    client.read_reply();
    EXPECT_EQ(counter.Value(), i);
  }
}

TEST_F(ServerTest, AClientThatLeavesIsNotComputedFor) {
  serve();
  tulip_->hold();
  {
    RawClient client(server_->port());
    client.send(post("/embed", R"({"inputs":"a"})"));
    tulip_->wait_for_held(1);
  }
  const std::stop_token token = tulip_->held_token();
  for (int i = 0; i < 500 && !token.stop_requested(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_TRUE(token.stop_requested());
  tulip_->release();
}

TEST_F(ServerTest, DrainsAndMayBeWaitedFor) {
  serve();
  tulip_->hold();
  RawClient client(server_->port());
  client.send(post("/embed", R"({"inputs":"a"})"));
  tulip_->wait_for_held(1);
  std::thread drainer([&] { server_->drain(); });
  std::thread waiter([&] { server_->wait(); });
  tulip_->release();
  EXPECT_THAT(client.read_reply(), StartsWith("HTTP/1.1 200"));
  client.close();
  drainer.join();
  waiter.join();
}

TEST_F(ServerTest, MayGoBeforeItsJobsDo) {
  ServerOptions options;
  options.drain_timeout = std::chrono::milliseconds(20);
  serve(options);
  tulip_->hold();
  RawClient client(server_->port());
  client.send(post("/embed", R"({"inputs":"a"})"));
  tulip_->wait_for_held(1);
  std::thread releaser([&] {
    const std::stop_token token = tulip_->held_token();
    while (!token.stop_requested()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    tulip_->release();
  });
  server_.reset();
  releaser.join();
}

TEST_F(ServerTest, ManyClientsGetTheirOwnAnswers) {
  ServerOptions options;
  options.io_threads = 2;
  serve(options);
  std::vector<std::thread> clients;
  std::atomic<int> good = 0;
  for (int t = 0; t < 8; ++t) {
    clients.emplace_back([&, t] {
      RawClient client(server_->port());
      const std::string body =
          R"({"inputs":")" + std::string(static_cast<size_t>(t + 1), 'a') + R"(","normalize":false})";
      const std::string sum = std::to_string(3 + 10 + (97 * (t + 1)) % 80);
      for (int i = 0; i < 25; ++i) {
        client.send(post("/embed", body));
        good += client.read_reply().ends_with("[[" + sum + ",3,1,2]]") ? 1 : 0;
      }
    });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(good, 200);
}

TEST_F(ServerTest, RefusesToStartWithoutItsKeys) {
  ServerOptions options;
  options.port = 0;
  options.api_key_file = "/no/such/file";
  EXPECT_FALSE(Server::start(options, catalog_).ok());
}

}  // namespace
}  // namespace bouquet::ivy
