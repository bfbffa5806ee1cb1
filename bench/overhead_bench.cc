// What the server adds to the engine: one text at a time, in turn through HTTP to a running server and straight into an
// engine of this process. The difference is the gateway, the tokenizer, the scheduler and the sockets, this client's
// own part included.
//
//   overhead_bench MODEL PORT [ROUNDS]
#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "rose/engine.h"

namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using namespace bouquet::rose;
using Clock = std::chrono::steady_clock;

constexpr double kGoalMs = 0.3;
constexpr std::chrono::milliseconds kPause{2};  // until the other side's threads have stopped spinning
constexpr int32_t kClassify = 101, kThe = 1996, kSeparate = 102;

// One kept connection.
class Client {
 public:
  explicit Client(uint16_t port) : socket_(context_) {
    socket_.connect({asio::ip::address_v4::loopback(), port});
    socket_.set_option(asio::ip::tcp::no_delay(true));
  }
  bool embed(const std::string& text) {
    http::request<http::string_body> request(http::verb::post, "/v1/embeddings", 11, R"({"input":")" + text + "\"}");
    request.set(http::field::host, "localhost");
    request.set(http::field::content_type, "application/json");
    request.prepare_payload();
    http::write(socket_, request);
    http::response<http::string_body> response;
    http::read(socket_, buffer_, response);
    return response.result() == http::status::ok;
  }

 private:
  asio::io_context context_;
  asio::ip::tcp::socket socket_;
  boost::beast::flat_buffer buffer_;
};

double milliseconds_of(const std::function<void()>& work) {
  std::this_thread::sleep_for(kPause);
  const auto start = Clock::now();
  work();
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

double quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  return values[static_cast<size_t>(q * static_cast<double>(values.size() - 1))];
}

void compare(Engine& engine, Client& client, int tokens, int rounds) {
  std::string text;
  for (int i = 0; i < tokens - 2; ++i) text += "the ";
  std::vector<int32_t> ids(tokens, kThe);
  ids.front() = kClassify, ids.back() = kSeparate;
  const std::vector<int32_t> cu_seqlens{0, tokens};
  const std::vector<RowSpec> specs{{0, true}};
  const auto graph = engine.capture({tokens, 1, tokens});
  std::vector<double> bare, served;
  for (int i = 0; i < rounds; ++i) {
    bare.push_back(milliseconds_of([&] { (void)engine.step({ids, cu_seqlens, {}, specs}, graph).wait(); }));
    served.push_back(milliseconds_of([&] {
      if (!client.embed(text)) std::fprintf(stderr, "the server refused\n"), std::exit(1);
    }));
  }
  const double added = quantile(served, 0.5) - quantile(bare, 0.5);
  std::printf("%d tokens: engine p50 %.3f ms, p10 %.3f; served p50 %.3f, p10 %.3f; added %.3f\n", tokens,
              quantile(bare, 0.5), quantile(bare, 0.1), quantile(served, 0.5), quantile(served, 0.1), added);
  std::printf("target added_ms_%d_tokens %.3f (goal %.3f) %s\n", tokens, added, kGoalMs,
              added < kGoalMs ? "ok" : "short");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return std::fprintf(stderr, "overhead_bench MODEL PORT [ROUNDS]\n"), 2;
  const int rounds = argc > 3 ? std::atoi(argv[3]) : 201;
  const auto engine = Engine::load(argv[1], {});
  if (!engine.ok()) return std::fprintf(stderr, "%s\n", std::string(engine.status().message()).c_str()), 1;
  Client client(static_cast<uint16_t>(std::atoi(argv[2])));
  for (int tokens : {16, 128, 256}) compare(**engine, client, tokens, rounds);
  return 0;
}
