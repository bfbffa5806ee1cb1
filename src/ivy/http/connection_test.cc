// HTTP as clients really speak it, in raw bytes over loopback.
#include "ivy/http/connection.h"

#include <future>
#include <mutex>
#include <thread>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ivy/failure.h"
#include "ivy/http/coding.h"
#include "ivy/http/listener.h"
#include "ivy/testing/raw_client.h"

namespace bouquet::ivy::http {
namespace {

using std::chrono::milliseconds;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;
using testing_fakes::RawClient;

// Echoes bodies; /held waits to be released, /refused is refused, /large is large.
class EchoHandler : public Handler {
 public:
  std::optional<Response> admit(const RequestHead& head) override {
    if (head.path != "/refused") return std::nullopt;
    return refuse(head, absl::UnauthenticatedError("no"));
  }
  void handle(Request request, Respond respond) override {
    if (request.head.path == "/held") {
      std::lock_guard lock(mutex_);
      held_ = std::move(respond);
      cancelled_ = request.cancelled;
      changed_.notify_all();
      return;
    }
    Response response;
    response.content_type = "text/plain";
    response.body =
        request.head.path == "/large" ? std::string(3 << 20, 'x') : request.head.method + " " + request.body;
    respond(std::move(response));
  }
  Response refuse(const RequestHead&, const absl::Status& status) override {
    Response response;
    response.status = http_status_of(status);
    response.body = "refused: " + std::string(status.message());
    return response;
  }
  void finished(const Exchange& exchange) override {
    std::lock_guard lock(mutex_);
    statuses_.push_back(exchange.status);
    changed_.notify_all();
  }

  std::stop_token wait_for_held() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return held_ != nullptr; });
    return cancelled_;
  }
  void release() {
    Respond respond;
    {
      std::lock_guard lock(mutex_);
      respond = std::exchange(held_, nullptr);
    }
    Response response;
    response.body = "released";
    respond(response);
  }
  int wait_for_status(size_t index) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return statuses_.size() > index; });
    return statuses_[index];
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  Respond held_;
  std::stop_token cancelled_;
  std::vector<int> statuses_;
};

class ConnectionTest : public testing::Test {
 protected:
  void serve(ConnectionOptions options = {}, int threads = 1) {
    ListenOptions listen;
    listen.threads = threads;
    listener_ = *Listener::start(listen, options, handler_);
  }
  std::string exchange(std::string_view bytes) {
    RawClient client(listener_->port());
    client.send(bytes);
    return client.read_reply();
  }

  EchoHandler handler_;
  std::unique_ptr<Listener> listener_;
};

TEST_F(ConnectionTest, KeepsAliveAndPipelines) {
  serve();
  RawClient client(listener_->port());
  client.send("POST / HTTP/1.1\r\nContent-Length: 1\r\n\r\na");
  EXPECT_THAT(client.read_reply(), EndsWith("POST a"));
  std::string many;
  for (int i = 0; i < 50; ++i) many += "POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n" + std::to_string(10 + i);
  client.send(many);
  for (int i = 0; i < 50; ++i) EXPECT_THAT(client.read_reply(), EndsWith("POST " + std::to_string(10 + i)));
  client.send("GET / HTTP/1.1\r\nConnection: close\r\n\r\n");
  EXPECT_THAT(client.read_reply(), HasSubstr("connection: close"));
  EXPECT_TRUE(client.closed_in_order());
}

TEST_F(ConnectionTest, TakesChunkedAndCompressedBodies) {
  serve();
  EXPECT_THAT(exchange("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"),
              EndsWith("POST abcde"));
  const std::string packed = gzip("hello");
  EXPECT_THAT(exchange("POST / HTTP/1.1\r\nContent-Encoding: gzip\r\nContent-Length: " + std::to_string(packed.size()) +
                       "\r\n\r\n" + packed),
              EndsWith("POST hello"));
  EXPECT_THAT(exchange("POST / HTTP/1.1\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc"),
              StartsWith("HTTP/1.1 400"));
}

TEST_F(ConnectionTest, AnswersExpectContinue) {
  serve();
  RawClient client(listener_->port());
  client.send("POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n");
  EXPECT_EQ(client.read_until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  client.send("abc");
  EXPECT_THAT(client.read_reply(), EndsWith("POST abc"));
  RawClient refused(listener_->port());
  refused.send("POST /refused HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n");
  EXPECT_THAT(refused.read_reply(), StartsWith("HTTP/1.1 401"));
  EXPECT_TRUE(refused.closed_in_order());
}

TEST_F(ConnectionTest, SpeaksHttp10HeadAndIgnoresUpgrade) {
  serve();
  RawClient old(listener_->port());
  old.send("GET / HTTP/1.0\r\n\r\n");
  EXPECT_THAT(old.read_reply(), StartsWith("HTTP/1.0 200"));
  EXPECT_TRUE(old.closed_in_order());
  EXPECT_THAT(exchange("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"), HasSubstr("connection: keep-alive"));
  EXPECT_THAT(
      exchange("GET / HTTP/1.1\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAM\r\n\r\n"),
      EndsWith("GET "));
  RawClient head(listener_->port());
  head.send("HEAD / HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\n\r\n");
  EXPECT_THAT(head.read_until("\r\n\r\n"), HasSubstr("content-length: 5"));
  EXPECT_THAT(head.read_reply(), EndsWith("GET "));
}

TEST_F(ConnectionTest, RefusesWhatIsTooLargeOrBroken) {
  ConnectionOptions options;
  options.limits = {1000, 100};
  serve(options);
  EXPECT_THAT(exchange("POST / HTTP/1.1\r\nContent-Length: 101\r\n\r\n"), StartsWith("HTTP/1.1 413"));
  EXPECT_THAT(exchange("GET / HTTP/1.1\r\nX: " + std::string(2000, 'x') + "\r\n\r\n"), StartsWith("HTTP/1.1 431"));
  EXPECT_THAT(exchange("nonsense\r\n\r\n"), StartsWith("HTTP/1.1 400"));
  EXPECT_THAT(exchange("\r\n\r\n\r\n\r\n"), testing::AnyOf(StartsWith("HTTP/1.1 400"), std::string()));
  const std::string bomb = gzip(std::string(100'000, '\0'));
  EXPECT_THAT(exchange("POST / HTTP/1.1\r\nContent-Encoding: gzip, gzip\r\nContent-Length: " +
                       std::to_string(gzip(bomb).size()) + "\r\n\r\n" + gzip(bomb)),
              StartsWith("HTTP/1.1 413"));
}

TEST_F(ConnectionTest, AClientThatSendsTooMuchStillReadsTheAnswer) {
  ConnectionOptions options;
  options.limits.body_bytes = 1000;
  serve(options);
  RawClient client(listener_->port());
  client.send("POST / HTTP/1.1\r\nContent-Length: 2000000\r\n\r\n" + std::string(2'000'000, 'x'));
  EXPECT_THAT(client.read_reply(), StartsWith("HTTP/1.1 413"));
}

TEST_F(ConnectionTest, SlowHeadersAndBodiesAreCutOff) {
  ConnectionOptions options;
  options.header_timeout = milliseconds(100);
  options.body_timeout = milliseconds(100);
  serve(options);
  RawClient slow(listener_->port());
  slow.send("GET / HT");
  for (int i = 0; i < 4; ++i) {
    std::this_thread::sleep_for(milliseconds(40));
    slow.send("T");
  }
  EXPECT_THAT(slow.read_reply(), StartsWith("HTTP/1.1 408"));
  RawClient body(listener_->port());
  body.send("POST / HTTP/1.1\r\nContent-Length: 10\r\n\r\nabc");
  EXPECT_THAT(body.read_reply(), StartsWith("HTTP/1.1 408"));
  EXPECT_TRUE(body.closed_in_order());
}

TEST_F(ConnectionTest, ASteadyUploadIsNotCutOff) {
  ConnectionOptions options;
  options.idle_timeout = milliseconds(150);
  options.body_timeout = milliseconds(150);
  serve(options);
  RawClient client(listener_->port());
  client.send("POST / HTTP/1.1\r\nContent-Length: 8\r\n\r\n");
  for (int i = 0; i < 8; ++i) {
    std::this_thread::sleep_for(milliseconds(50));
    client.send("x");
  }
  EXPECT_THAT(client.read_reply(), EndsWith("POST xxxxxxxx"));
}

TEST_F(ConnectionTest, IdleConnectionsCloseInOrder) {
  ConnectionOptions options;
  options.idle_timeout = milliseconds(100);
  serve(options);
  RawClient client(listener_->port());
  client.send("GET / HTTP/1.1\r\n\r\n");
  EXPECT_THAT(client.read_reply(), EndsWith("GET "));
  EXPECT_TRUE(client.closed_in_order());
}

TEST_F(ConnectionTest, AClientThatLeavesCancelsItsRequest) {
  serve();
  std::stop_token token;
  {
    RawClient client(listener_->port());
    client.send("POST /held HTTP/1.1\r\nContent-Length: 0\r\n\r\n");
    token = handler_.wait_for_held();
    EXPECT_FALSE(token.stop_requested());
  }
  EXPECT_EQ(handler_.wait_for_status(0), 499);
  EXPECT_TRUE(token.stop_requested());
  handler_.release();
  EXPECT_THAT(exchange("GET / HTTP/1.1\r\n\r\n"), EndsWith("GET "));
}

TEST_F(ConnectionTest, PipelinedBytesDoNotLookLikeLeaving) {
  serve();
  RawClient client(listener_->port());
  client.send("POST /held HTTP/1.1\r\nContent-Length: 0\r\n\r\n");
  const std::stop_token token = handler_.wait_for_held();
  client.send("GET / HTTP/1.1\r\n\r\n");
  std::this_thread::sleep_for(milliseconds(50));
  EXPECT_FALSE(token.stop_requested());
  handler_.release();
  EXPECT_THAT(client.read_reply(), EndsWith("released"));
  EXPECT_THAT(client.read_reply(), EndsWith("GET "));
}

TEST_F(ConnectionTest, ARequestWithoutAnswerEndsAtItsDeadline) {
  ConnectionOptions options;
  options.request_timeout = milliseconds(50);
  serve(options);
  RawClient client(listener_->port());
  client.send("POST /held HTTP/1.1\r\nContent-Length: 0\r\n\r\n");
  const std::stop_token token = handler_.wait_for_held();
  EXPECT_THAT(client.read_reply(), StartsWith("HTTP/1.1 504"));
  EXPECT_TRUE(token.stop_requested());
  handler_.release();
  client.send("GET / HTTP/1.1\r\n\r\n");
  EXPECT_THAT(client.read_reply(), EndsWith("GET "));
}

TEST_F(ConnectionTest, LargeRepliesArriveWhole) {
  serve();
  EXPECT_THAT(exchange("GET /large HTTP/1.1\r\n\r\n"), EndsWith(std::string(3 << 20, 'x')));
  const std::string packed = exchange("GET /large HTTP/1.1\r\nAccept-Encoding: gzip\r\n\r\n");
  EXPECT_THAT(packed.substr(0, 400), HasSubstr("content-encoding: gzip"));
  EXPECT_LT(packed.size(), 100'000u);
}

TEST_F(ConnectionTest, AClientThatDoesNotReadIsCutOff) {
  ConnectionOptions options;
  options.body_timeout = milliseconds(200);
  options.compress_from_bytes = 0;
  serve(options);
  RawClient client(listener_->port());
  for (int i = 0; i < 8; ++i) client.send("GET /large HTTP/1.1\r\n\r\n");
  std::this_thread::sleep_for(milliseconds(600));
  const auto begin = std::chrono::steady_clock::now();
  listener_->drain(std::chrono::seconds(20));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
}

TEST_F(ConnectionTest, RequestIdsAreReturned) {
  serve();
  EXPECT_THAT(exchange("GET / HTTP/1.1\r\nX-Request-Id: abc-1\r\n\r\n"), HasSubstr("x-request-id: abc-1\r\n"));
  EXPECT_THAT(exchange("GET / HTTP/1.1\r\nX-Request-Id: a b\r\n\r\n"), HasSubstr("x-request-id: "));
}

TEST_F(ConnectionTest, DrainFinishesWhatIsInFlight) {
  serve();
  RawClient idle(listener_->port()), busy(listener_->port());
  idle.send("GET / HTTP/1.1\r\n\r\n");
  idle.read_reply();
  busy.send("POST /held HTTP/1.1\r\nContent-Length: 0\r\n\r\n");
  handler_.wait_for_held();
  std::thread drainer([&] { listener_->drain(std::chrono::seconds(10)); });
  EXPECT_TRUE(idle.closed_in_order());
  handler_.release();
  const std::string reply = busy.read_reply();
  EXPECT_THAT(reply, EndsWith("released"));
  EXPECT_THAT(reply, HasSubstr("connection: close\r\n"));  // though nobody was draining when the request came
  EXPECT_TRUE(busy.closed_in_order());
  idle.close();
  busy.close();
  drainer.join();
  EXPECT_FALSE(RawClient(listener_->port()).connected());
}

TEST_F(ConnectionTest, DrainTellsAClientThatSendsWithoutPause) {
  serve();
  RawClient client(listener_->port());
  std::string reply;
  std::thread drainer;
  do {
    client.send("GET / HTTP/1.1\r\n\r\n");
    reply = client.read_reply();
    ASSERT_THAT(reply, StartsWith("HTTP/1.1 200"));
    if (!drainer.joinable()) drainer = std::thread([&] { listener_->drain(std::chrono::seconds(10)); });
  } while (reply.find("connection: close\r\n") == std::string::npos);
  EXPECT_TRUE(client.closed_in_order());
  client.close();
  drainer.join();
}

TEST_F(ConnectionTest, DrainCutsOffWhatStays) {
  serve();
  RawClient stuck(listener_->port());
  stuck.send("POST /held HTTP/1.1\r\nContent-Length: 0\r\n\r\n");
  const std::stop_token token = handler_.wait_for_held();
  listener_->drain(milliseconds(50));
  EXPECT_TRUE(token.stop_requested());
  listener_.reset();
  handler_.release();  // long after the connection
}

TEST_F(ConnectionTest, SeveralThreadsServeManyClients) {
  serve({}, 3);
  std::vector<std::thread> clients;
  std::atomic<int> good = 0;
  for (int t = 0; t < 8; ++t) {
    clients.emplace_back([&] {
      RawClient client(listener_->port());
      for (int i = 0; i < 50; ++i) {
        client.send("POST / HTTP/1.1\r\nContent-Length: 4\r\n\r\nabcd");
        good += client.read_reply().ends_with("POST abcd") ? 1 : 0;
      }
    });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(good, 400);
}

}  // namespace
}  // namespace bouquet::ivy::http
