// What the server adds to the engine: one text at a time through HTTP to a running server and straight into an engine
// of this process, in turns. Two processes differ by the pages they got as much as by what is looked for, so what is
// added is taken from the same request: the client's time less the engine's part of it, which the reply names
// (server-timing). The sockets' own part is measured in the same turns: an echo of as many bytes by a thread that does
// nothing else, right after a forward pass, so that its caches are as cold as the server's.
//
//   overhead_bench MODEL PORT [ROUNDS]
#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "rose/engine.h"

namespace {

namespace asio = boost::asio;
using namespace bouquet::rose;
using Clock = std::chrono::steady_clock;

constexpr double kGoalMs = 0.3;
constexpr size_t kReplyBody = 4800;              // bytes of a vector of 384
constexpr int kTurn = 10;                        // requests of one side in a row
constexpr std::chrono::milliseconds kPause{2};   // until the other side's threads have stopped spinning
constexpr std::chrono::microseconds kSpin{200};  // that engine threads look for more work: not the echo's to bear
constexpr int32_t kClassify = 101, kThe = 1996, kSeparate = 102;

// One kept connection, and little else: what it spends itself would count as the server's.
class Client {
 public:
  explicit Client(uint16_t port) : socket_(context_) {
    socket_.connect({asio::ip::address_v4::loopback(), port});
    socket_.set_option(asio::ip::tcp::no_delay(true));
  }
  static std::string embedding_request(const std::string& text) {
    const std::string body = R"({"input":")" + text + "\"}";
    return "POST /v1/embeddings HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: " +
           std::to_string(body.size()) + "\r\n\r\n" + body;
  }
  // Head and body of the reply; valid until the next call.
  std::string_view ask(std::string_view request) {
    asio::write(socket_, asio::buffer(request));
    size_t size = 0, end = SIZE_MAX;
    while (size < end) {
      size += socket_.read_some(asio::buffer(bytes_.data() + size, bytes_.size() - size));
      if (end == SIZE_MAX) end = reply_size({bytes_.data(), size});
    }
    return {bytes_.data(), size};
  }

 private:
  static size_t reply_size(std::string_view reply) {
    const size_t body = reply.find("\r\n\r\n"), field = reply.find("content-length: ");
    if (!reply.starts_with("HTTP/1.1 200")) std::fprintf(stderr, "the server refused\n"), std::exit(1);
    if (body == reply.npos || field > body) return SIZE_MAX;
    return body + 4 + std::strtoul(reply.data() + field + 16, nullptr, 10);
  }

  asio::io_context context_;
  asio::ip::tcp::socket socket_;
  std::vector<char> bytes_ = std::vector<char>(1 << 20);
};

// Answers every request of a connection with a reply as large as the server's.
class Echo {
 public:
  Echo() : acceptor_(context_, {asio::ip::address_v4::loopback(), 0}), thread_([this] { serve(); }) {}
  ~Echo() { thread_.join(); }  // ends when its client has closed
  uint16_t port() const { return acceptor_.local_endpoint().port(); }

 private:
  void serve() {
    asio::ip::tcp::socket socket = acceptor_.accept();
    socket.set_option(asio::ip::tcp::no_delay(true));
    std::vector<char> bytes(64 << 10);
    const std::string reply =
        "HTTP/1.1 200 OK\r\ncontent-length: " + std::to_string(kReplyBody) + "\r\n\r\n" + std::string(kReplyBody, ' ');
    boost::system::error_code error;
    while (socket.read_some(asio::buffer(bytes), error) > 0) asio::write(socket, asio::buffer(reply), error);
  }

  asio::io_context context_;
  asio::ip::tcp::acceptor acceptor_;
  std::thread thread_;
};

// Milliseconds the engine spent on the request, as the reply's server-timing header says.
double computed(std::string_view reply) {
  static constexpr std::string_view kField = "compute;dur=";
  return std::strtod(reply.data() + reply.find(kField) + kField.size(), nullptr);
}

double milliseconds_of(const std::function<void()>& work) {
  const auto start = Clock::now();
  work();
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

double quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  return values[static_cast<size_t>(q * static_cast<double>(values.size() - 1))];
}

struct Sides {
  Engine& engine;
  Client& client;
  Client& echo;
};

void compare(Sides sides, int tokens, int rounds) {
  std::string text;
  for (int i = 0; i < tokens - 2; ++i) text += "the ";
  const std::string request = Client::embedding_request(text);
  std::vector<int32_t> ids(tokens, kThe);
  ids.front() = kClassify, ids.back() = kSeparate;
  const std::vector<int32_t> cu_seqlens{0, tokens};
  const std::vector<RowSpec> specs{{0, true}};
  const auto graph = sides.engine.capture({tokens, 1, tokens});
  std::vector<double> bare, served, echoed, added;
  for (int i = 0; i < rounds; ++i) {
    std::this_thread::sleep_for(kPause);
    for (int n = 0; n < kTurn; ++n) {
      bare.push_back(milliseconds_of([&] { (void)sides.engine.step({ids, cu_seqlens, {}, specs}, graph).wait(); }));
      std::this_thread::sleep_for(kSpin);
      echoed.push_back(milliseconds_of([&] { sides.echo.ask(request); }));
    }
    std::this_thread::sleep_for(kPause);
    for (int n = 0; n < kTurn; ++n) {
      std::string_view reply;
      served.push_back(milliseconds_of([&] { reply = sides.client.ask(request); }));
      added.push_back(served.back() - computed(reply));
    }
  }
  const double with_sockets = quantile(added, 0.5), sockets = quantile(echoed, 0.5), own = with_sockets - sockets;
  std::printf(
      "%d tokens: engine alone p50 %.3f ms; served p50 %.3f, p99 %.3f; added p50 %.3f with sockets and client, "
      "whose echo takes %.3f\n",
      tokens, quantile(bare, 0.5), quantile(served, 0.5), quantile(served, 0.99), with_sockets, sockets);
  std::printf("target added_ms_%d_tokens %.3f (goal %.3f) %s\n", tokens, own, kGoalMs, own < kGoalMs ? "ok" : "short");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return std::fprintf(stderr, "overhead_bench MODEL PORT [ROUNDS]\n"), 2;
  const int rounds = argc > 3 ? std::atoi(argv[3]) : 21;
  const auto engine = Engine::load(argv[1], {});
  if (!engine.ok()) return std::fprintf(stderr, "%s\n", std::string(engine.status().message()).c_str()), 1;
  Client client(static_cast<uint16_t>(std::atoi(argv[2])));
  Echo echo;
  Client echo_client(echo.port());
  for (int tokens : {16, 128, 256}) compare({**engine, client, echo_client}, tokens, rounds);
  return 0;
}
