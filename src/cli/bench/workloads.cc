// Closed loops over threads for workloads 1 to 4, an open loop for the fifth.
#include "cli/bench/workloads.h"

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

#include "base/status.h"
#include "cli/bench/http_session.h"
#include "fmt/format.h"

namespace bouquet::cli {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int kShortTokens = 8;    // of workload 5's queries
constexpr int kMixedSenders = 16;  // short queries that may be under way at once
constexpr int kBulkSubmitters = 2;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

struct Request {
  std::string path, body;
};

// What several clients measured together; the first error ends all of them.
class Tally {
 public:
  void add(double seconds) {
    std::lock_guard lock(mutex_);
    latencies_.push_back(seconds);
  }
  void fail(absl::Status status) {
    std::lock_guard lock(mutex_);
    if (status_.ok()) status_ = std::move(status);
    failed_ = true;
  }
  bool failed() const { return failed_; }
  absl::Status status() const { return status_; }
  std::vector<double> take() { return std::move(latencies_); }
  size_t count() const { return latencies_.size(); }

 private:
  std::mutex mutex_;
  std::vector<double> latencies_;
  absl::Status status_;
  std::atomic<bool> failed_{false};
};

// One client that sends the request again and again while `more` says so.
template <class More>
void run_client(const BenchTarget& target, const Request& request, Tally& tally, More more) {
  HttpSession session(target.url, target.key);
  while (more() && !tally.failed()) {
    const Clock::time_point start = Clock::now();
    const auto reply = session.post(request.path, request.body);
    if (!reply.ok()) return tally.fail(reply.status());
    tally.add(seconds_since(start));
  }
}

// `clients` clients share `total` requests.
absl::StatusOr<BenchRow> closed_loop(const BenchTarget& target, const Request& request, int clients, int total,
                                     int inputs) {
  Tally tally;
  std::atomic<int> left{total};
  {
    HttpSession warm(target.url, target.key);
    for (int i = 0; i < 3; ++i) RETURN_IF_ERROR(warm.post(request.path, request.body).status());
  }
  const Clock::time_point start = Clock::now();
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < clients; ++i) {
      threads.emplace_back([&] { run_client(target, request, tally, [&] { return left.fetch_sub(1) > 0; }); });
    }
  }
  if (tally.failed()) return tally.status();
  BenchRow row;
  row.per_second = total * inputs / seconds_since(start);
  row.latency = summarize(tally.take());
  return row;
}

Request embed_request(const BenchTarget& t, int tokens, int inputs) {
  return {std::string(t.dialect.embed_path),
          embed_body(t.dialect, t.model, std::vector<std::string>(inputs, text_of(tokens)))};
}

Request ids_request(const BenchTarget& t, int tokens) {
  if (t.ids_frame.empty()) return embed_request(t, tokens, 1);
  std::vector<int> ids(tokens, t.ids_frame[1]);
  ids.front() = t.ids_frame[0];
  ids.back() = t.ids_frame[2];
  return {std::string(t.dialect.embed_path), embed_ids_body(t.dialect, t.model, ids)};
}

Request rerank_request(const BenchTarget& t, int tokens, int pairs) {
  const std::vector<std::string> documents(pairs, text_of(tokens - kShortTokens + 1));
  return {std::string(t.dialect.rerank_path), rerank_body(t.dialect, t.model, text_of(kShortTokens), documents)};
}

absl::Status measure(const std::string& workload, const std::string& detail, const BenchTarget& target, int tokens,
                     const std::function<absl::StatusOr<BenchRow>()>& run, const BenchReport& report) {
  BenchRow row;
  if (target.max_tokens > 0 && tokens > target.max_tokens) {
    row.skipped = fmt::format("the model takes {} tokens", target.max_tokens);
  } else {
    ASSIGN_OR_RETURN(row, run());
  }
  row.workload = workload;
  row.detail = detail;
  report(row);
  return absl::OkStatus();
}

// Bulk clients for a while: inputs a second.
double bulk_alone(const BenchTarget& target, const Request& bulk, const BenchCounts& counts, Tally& tally) {
  const Clock::time_point start = Clock::now();
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < kBulkSubmitters; ++i) {
      threads.emplace_back(
          [&] { run_client(target, bulk, tally, [&] { return seconds_since(start) < counts.mixed_seconds; }); });
    }
  }
  return static_cast<double>(tally.count()) * counts.mixed_batch / seconds_since(start);
}

// Query i is due at start + i / rate whatever became of those before it; its latency counts from there.
void open_loop(const BenchTarget& target, const Request& query, const BenchCounts& counts, Tally& tally) {
  const Clock::time_point start = Clock::now();
  const int total = static_cast<int>(counts.mixed_rate * counts.mixed_seconds);
  std::atomic<int> next{0};
  std::vector<std::jthread> senders;
  for (int i = 0; i < kMixedSenders; ++i) {
    senders.emplace_back([&] {
      HttpSession session(target.url, target.key);
      for (int n = next++; n < total && !tally.failed(); n = next++) {
        const auto due =
            start + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(n / counts.mixed_rate));
        std::this_thread::sleep_until(due);
        const auto reply = session.post(query.path, query.body);
        if (!reply.ok()) return tally.fail(reply.status());
        tally.add(seconds_since(due));
      }
    });
  }
}

absl::Status mixed(const BenchTarget& t, const BenchCounts& counts, const BenchReport& report) {
  const Request bulk = embed_request(
      t, std::min(counts.mixed_length, t.max_tokens > 0 ? t.max_tokens : counts.mixed_length), counts.mixed_batch);
  const Request query = embed_request(t, kShortTokens, 1);
  BenchRow row{.workload = "mixed",
               .detail = fmt::format("bulk alone, {} x {} tokens", counts.mixed_batch, counts.mixed_length)};
  Tally alone, bulk_tally, queries;
  row.per_second = bulk_alone(t, bulk, counts, alone);
  RETURN_IF_ERROR(alone.status());
  row.latency = summarize(alone.take());
  report(row);
  double beside = 0;
  {
    std::jthread bulk_thread([&] { beside = bulk_alone(t, bulk, counts, bulk_tally); });
    open_loop(t, query, counts, queries);
  }
  RETURN_IF_ERROR(queries.status());
  RETURN_IF_ERROR(bulk_tally.status());
  report({"mixed", "bulk beside queries", summarize(bulk_tally.take()), beside, ""});
  report({"mixed", fmt::format("queries at {:g}/s beside bulk", counts.mixed_rate), summarize(queries.take()),
          counts.mixed_rate, ""});
  return absl::OkStatus();
}

}  // namespace

std::string text_of(int tokens) {
  std::string text;
  for (int i = 0; i < tokens - 2; ++i) text += i ? " the" : "the";
  return text.empty() ? "a" : text;
}

absl::Status run_workload(int number, const BenchTarget& t, const BenchCounts& counts, const BenchReport& report) {
  switch (number) {
    case 1:
      for (int tokens : {128, 512, 4096}) {
        RETURN_IF_ERROR(measure(
            "latency", fmt::format("{} tokens", tokens), t, tokens,
            [&] { return closed_loop(t, ids_request(t, tokens), 1, counts.latency, 1); }, report));
      }
      return absl::OkStatus();
    case 2:
      for (int pairs : {5, 25, 50}) {
        RETURN_IF_ERROR(measure(
            "scoring", fmt::format("{} pairs of 512", pairs), t, 512,
            [&] { return closed_loop(t, rerank_request(t, 512, pairs), 1, counts.scoring, pairs); }, report));
      }
      return absl::OkStatus();
    case 3:
      for (int tokens : {512, 1024, 4096}) {
        RETURN_IF_ERROR(measure(
            "throughput", fmt::format("100 x {} tokens, 4 submitters", tokens), t, tokens,
            [&] { return closed_loop(t, embed_request(t, tokens, 100), 4, counts.throughput, 100); }, report));
      }
      return absl::OkStatus();
    case 4:
      for (int clients : {1, 2, 4, 8, 16}) {
        RETURN_IF_ERROR(measure(
            "concurrency", fmt::format("{} clients, 512 tokens", clients), t, 512,
            [&] { return closed_loop(t, embed_request(t, 512, 1), clients, counts.concurrency * clients, 1); },
            report));
      }
      return absl::OkStatus();
    default:
      return mixed(t, counts, report);
  }
}

}  // namespace bouquet::cli
