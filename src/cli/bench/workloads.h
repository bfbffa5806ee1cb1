// The five standard workloads, and one to choose freely, against a server.
//   1 latency      one request at a time, one input of 128, 512, 4096 tokens (as ids where the server takes them)
//   2 scoring      one request at a time, 5, 25, 50 pairs of 512 tokens
//   3 throughput   batches of 100 inputs of 512, 1024, 4096 tokens, four submitters
//   4 concurrency  1, 2, 4, 8, 16 clients, one input of 512 tokens each, text in
//   5 mixed        short queries at a fixed rate while bulk batches run; latency counts from the scheduled moment, so
//                  that a slow server can't hide behind requests that were sent late (coordinated omission)
//   6 own          as OwnWorkload says: clients that send the next request when the last was answered, or a fixed rate
#pragma once

#include <functional>
#include <string>

#include "cli/bench/statistics.h"
#include "cli/bench/target.h"

namespace bouquet::cli {

inline constexpr int kShortTokens = 8;  // of a short query

struct OwnWorkload {
  int inputs = 1;  // a request
  int tokens = kShortTokens;
  int requests = 2000;
  int clients = 1;  // with a rate: most requests under way at once
  double rate = 0;  // requests a second; 0: as they are answered
};

struct BenchCounts {
  int latency = 200;     // requests a length
  int scoring = 20;      // requests a size
  int throughput = 12;   // batches a length
  int concurrency = 60;  // requests a client
  double mixed_seconds = 15;
  double mixed_rate = 20;  // short queries a second
  int mixed_batch = 64;    // inputs a bulk request
  int mixed_length = 128;  // tokens of a bulk input
  OwnWorkload own;
};

struct BenchRow {
  std::string workload, detail;
  Summary latency;
  double per_second = 0;  // inputs (or pairs) a second
  std::string skipped;    // why, when it did not run
};

using BenchReport = std::function<void(const BenchRow&)>;

absl::Status run_workload(int number, const Target& target, const BenchCounts& counts, const BenchReport& report);

}  // namespace bouquet::cli
