// The five standard workloads against a server that speaks one of the dialects.
//   1 latency      one request at a time, one input of 128, 512, 4096 tokens (as ids where the server takes them)
//   2 scoring      one request at a time, 5, 25, 50 pairs of 512 tokens
//   3 throughput   batches of 100 inputs of 512, 1024, 4096 tokens, four submitters
//   4 concurrency  1, 2, 4, 8, 16 clients, one input of 512 tokens each, text in
//   5 mixed        short queries at a fixed rate while bulk batches run; latency counts from the scheduled moment, so
//   that
//                  a slow server can't hide behind requests that were sent late (coordinated omission)
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/bench/dialect.h"
#include "cli/bench/statistics.h"

namespace bouquet::cli {

struct BenchTarget {
  std::string url;
  std::string key;
  std::string model;
  Dialect dialect;
  int max_tokens = 0;          // inputs longer than this are skipped
  std::vector<int> ids_frame;  // {first special, filler, last special}: token ids are sent; empty: text is
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
};

struct BenchRow {
  std::string workload, detail;
  Summary latency;
  double per_second = 0;  // inputs (or pairs) a second
  std::string skipped;    // why, when it did not run
};

using BenchReport = std::function<void(const BenchRow&)>;

// A text of about `tokens` tokens, specials included, for any English vocabulary.
std::string text_of(int tokens);

absl::Status run_workload(int number, const BenchTarget& target, const BenchCounts& counts, const BenchReport& report);

}  // namespace bouquet::cli
