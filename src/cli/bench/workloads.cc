// Closed loops over threads for workloads 1 to 4, an open loop for the fifth.
#include "cli/bench/workloads.h"

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

#include "base/status.h"
#include "fmt/format.h"

namespace bouquet::cli {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int kMixedSenders = 16;  // short queries that may be under way at once
constexpr int kBulkSubmitters = 2;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

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
void run_client(const Connect& connect, Tally& tally, More more) {
  const std::unique_ptr<Session> session = connect();
  while (more() && !tally.failed()) {
    const Clock::time_point start = Clock::now();
    if (absl::Status status = session->send(); !status.ok()) return tally.fail(std::move(status));
    tally.add(seconds_since(start));
  }
}

// `clients` clients share `total` requests.
absl::StatusOr<BenchRow> closed_loop(const Target& target, const Ask& ask, int clients, int total) {
  Tally tally;
  std::atomic<int> left{total};
  const Connect connect = target.prepare(ask);
  {
    const std::unique_ptr<Session> warm = connect();
    for (int i = 0; i < 3; ++i) RETURN_IF_ERROR(warm->send());
  }
  const Clock::time_point start = Clock::now();
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < clients; ++i) {
      threads.emplace_back([&] { run_client(connect, tally, [&] { return left.fetch_sub(1) > 0; }); });
    }
  }
  if (tally.failed()) return tally.status();
  BenchRow row;
  row.per_second = total * ask.inputs / seconds_since(start);
  row.latency = summarize(tally.take());
  return row;
}

absl::Status measure(const std::string& workload, const std::string& detail, const Target& target, int tokens,
                     const std::function<absl::StatusOr<BenchRow>()>& run, const BenchReport& report) {
  BenchRow row;
  if (target.max_tokens() > 0 && tokens > target.max_tokens()) {
    row.skipped = fmt::format("the model takes {} tokens", target.max_tokens());
  } else {
    ASSIGN_OR_RETURN(row, run());
  }
  row.workload = workload;
  row.detail = detail;
  report(row);
  return absl::OkStatus();
}

// Bulk clients for a while: inputs a second.
double bulk_alone(const Connect& bulk, const BenchCounts& counts, Tally& tally) {
  const Clock::time_point start = Clock::now();
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < kBulkSubmitters; ++i) {
      threads.emplace_back(
          [&] { run_client(bulk, tally, [&] { return seconds_since(start) < counts.mixed_seconds; }); });
    }
  }
  return static_cast<double>(tally.count()) * counts.mixed_batch / seconds_since(start);
}

// Query i is due at start + i / rate whatever became of those before it; its latency counts from there.
void open_loop(const Connect& query, double rate, int total, int most_at_once, Tally& tally) {
  const Clock::time_point start = Clock::now();
  std::atomic<int> next{0};
  std::vector<std::jthread> senders;
  for (int i = 0; i < most_at_once; ++i) {
    senders.emplace_back([&] {
      const std::unique_ptr<Session> session = query();
      for (int n = next++; n < total && !tally.failed(); n = next++) {
        const auto due = start + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(n / rate));
        std::this_thread::sleep_until(due);
        if (absl::Status status = session->send(); !status.ok()) return tally.fail(std::move(status));
        tally.add(seconds_since(due));
      }
    });
  }
}

absl::StatusOr<BenchRow> at_rate(const Target& target, const Ask& ask, const OwnWorkload& own) {
  Tally tally;
  const Connect connect = target.prepare(ask);
  RETURN_IF_ERROR(connect()->send());
  const Clock::time_point start = Clock::now();
  open_loop(connect, own.rate, own.requests, own.clients, tally);
  RETURN_IF_ERROR(tally.status());
  BenchRow row;
  row.per_second = own.requests * own.inputs / seconds_since(start);
  row.latency = summarize(tally.take());
  return row;
}

absl::Status own_workload(const Target& target, const OwnWorkload& own, const BenchReport& report) {
  const Ask ask{own.inputs == 1 ? Ask::Kind::kEmbedIds : Ask::Kind::kEmbed, own.inputs, own.tokens};
  const std::string pace = own.rate > 0 ? fmt::format("{:g}/s", own.rate) : fmt::format("{} clients", own.clients);
  return measure(
      "own", fmt::format("{} x {} tokens, {}", own.inputs, own.tokens, pace), target, own.tokens,
      [&] { return own.rate > 0 ? at_rate(target, ask, own) : closed_loop(target, ask, own.clients, own.requests); },
      report);
}

absl::Status mixed(const Target& t, const BenchCounts& counts, const BenchReport& report) {
  const int length = t.max_tokens() > 0 ? std::min(counts.mixed_length, t.max_tokens()) : counts.mixed_length;
  const Connect bulk = t.prepare({Ask::Kind::kEmbed, counts.mixed_batch, length});
  const Connect query = t.prepare({Ask::Kind::kEmbed, 1, kShortTokens});
  BenchRow row{.workload = "mixed",
               .detail = fmt::format("bulk alone, {} x {} tokens", counts.mixed_batch, counts.mixed_length)};
  Tally alone, bulk_tally, queries;
  row.per_second = bulk_alone(bulk, counts, alone);
  RETURN_IF_ERROR(alone.status());
  row.latency = summarize(alone.take());
  report(row);
  double beside = 0;
  {
    std::jthread bulk_thread([&] { beside = bulk_alone(bulk, counts, bulk_tally); });
    open_loop(query, counts.mixed_rate, static_cast<int>(counts.mixed_rate * counts.mixed_seconds), kMixedSenders,
              queries);
  }
  RETURN_IF_ERROR(queries.status());
  RETURN_IF_ERROR(bulk_tally.status());
  report({"mixed", "bulk beside queries", summarize(bulk_tally.take()), beside, ""});
  report({"mixed", fmt::format("queries at {:g}/s beside bulk", counts.mixed_rate), summarize(queries.take()),
          counts.mixed_rate, ""});
  return absl::OkStatus();
}

}  // namespace

absl::Status run_workload(int number, const Target& t, const BenchCounts& counts, const BenchReport& report) {
  switch (number) {
    case 1:
      for (int tokens : {128, 512, 4096}) {
        RETURN_IF_ERROR(measure(
            "latency", fmt::format("{} tokens", tokens), t, tokens,
            [&] {
              return closed_loop(t, {Ask::Kind::kEmbedIds, 1, tokens}, 1, counts.latency);
            },
            report));
      }
      return absl::OkStatus();
    case 2:
      for (int pairs : {5, 25, 50}) {
        RETURN_IF_ERROR(measure(
            "scoring", fmt::format("{} pairs of 512", pairs), t, 512,
            [&] {
              return closed_loop(t, {Ask::Kind::kScore, pairs, 512}, 1, counts.scoring);
            },
            report));
      }
      return absl::OkStatus();
    case 3:
      for (int tokens : {512, 1024, 4096}) {
        RETURN_IF_ERROR(measure(
            "throughput", fmt::format("100 x {} tokens, 4 submitters", tokens), t, tokens,
            [&] {
              return closed_loop(t, {Ask::Kind::kEmbed, 100, tokens}, 4, counts.throughput);
            },
            report));
      }
      return absl::OkStatus();
    case 4:
      for (int clients : {1, 2, 4, 8, 16}) {
        RETURN_IF_ERROR(measure(
            "concurrency", fmt::format("{} clients, 512 tokens", clients), t, 512,
            [&] {
              return closed_loop(t, {Ask::Kind::kEmbed, 1, 512}, clients, counts.concurrency * clients);
            },
            report));
      }
      return absl::OkStatus();
    case 5:
      return mixed(t, counts, report);
    default:
      return own_workload(t, counts.own, report);
  }
}

}  // namespace bouquet::cli
