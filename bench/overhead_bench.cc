// What the server adds to the engine: one text at a time, in turn through HTTP to a running server and straight into an
// engine of this process. Two processes differ by the pages they got as much as by what is looked for, so what is added
// is taken from the same requests: the client's time less the engine's part of it, which the server counts
// (bouquet_tulip_compute_seconds). That leaves the gateway, the tokenizer, the scheduler and the sockets, this client's
// own share included.
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
#include <numeric>
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
constexpr int kTurn = 10;  // requests of one side in a row
constexpr std::chrono::milliseconds kPause{2};  // until the other side's threads have stopped spinning
constexpr int32_t kClassify = 101, kThe = 1996, kSeparate = 102;

// One kept connection.
class Client {
 public:
  explicit Client(uint16_t port) : socket_(context_) {
    socket_.connect({asio::ip::address_v4::loopback(), port});
    socket_.set_option(asio::ip::tcp::no_delay(true));
  }
  void embed(const std::string& text) { send(http::verb::post, "/v1/embeddings", R"({"input":")" + text + "\"}"); }
  // Seconds the server's engine has computed so far.
  double computed() {
    const std::string metrics = send(http::verb::get, "/metrics", "");
    const std::string name = "\nbouquet_tulip_compute_seconds_sum";
    return std::stod(metrics.substr(metrics.find(' ', metrics.find(name) + 1)));
  }

 private:
  std::string send(http::verb verb, const char* path, std::string body) {
    http::request<http::string_body> request(verb, path, 11, std::move(body));
    request.set(http::field::host, "localhost");
    request.set(http::field::content_type, "application/json");
    request.prepare_payload();
    http::write(socket_, request);
    http::response<http::string_body> response;
    http::read(socket_, buffer_, response);
    if (response.result() != http::status::ok) std::fprintf(stderr, "the server refused\n"), std::exit(1);
    return response.body();
  }

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
  const double before = client.computed();
  for (int i = 0; i < rounds; ++i) {
    for (int n = 0; n < kTurn; ++n) {
      bare.push_back(milliseconds_of([&] { (void)engine.step({ids, cu_seqlens, {}, specs}, graph).wait(); }));
    }
    for (int n = 0; n < kTurn; ++n) served.push_back(milliseconds_of([&] { client.embed(text); }));
  }
  const double computed = (client.computed() - before) * 1e3;
  const double added = (std::accumulate(served.begin(), served.end(), 0.0) - computed) / (rounds * kTurn);
  std::printf("%d tokens: engine alone p50 %.3f ms; served p50 %.3f, p99 %.3f; mean added %.3f\n", tokens,
              quantile(bare, 0.5), quantile(served, 0.5), quantile(served, 0.99), added);
  std::printf("target added_ms_%d_tokens %.3f (goal %.3f) %s\n", tokens, added, kGoalMs,
              added < kGoalMs ? "ok" : "short");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return std::fprintf(stderr, "overhead_bench MODEL PORT [ROUNDS]\n"), 2;
  const int rounds = argc > 3 ? std::atoi(argv[3]) : 21;
  const auto engine = Engine::load(argv[1], {});
  if (!engine.ok()) return std::fprintf(stderr, "%s\n", std::string(engine.status().message()).c_str()), 1;
  Client client(static_cast<uint16_t>(std::atoi(argv[2])));
  for (int tokens : {16, 128, 256}) compare(**engine, client, tokens, rounds);
  return 0;
}
