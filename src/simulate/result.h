// What a simulated run came to.
#pragma once

#include <cstdint>
#include <vector>

#include "simulate/policies.h"

namespace bouquet::simulate {

struct Result {
  Policy policy = Policy::kOurs;
  bool chunked = true;

  uint64_t requests = 0;
  uint64_t texts = 0;
  std::vector<float> online, bulk;  // seconds to each good answer, ascending
  uint64_t refused = 0;             // 429
  uint64_t late = 0;                // past the deadline
  uint64_t failed = 0;              // 503 or worse
  uint64_t chunks = 0;              // first attempts
  uint64_t sent_again = 0;          // chunks
  uint64_t tokens = 0;              // of good answers
  uint64_t tokens_computed = 0;     // also for nobody
  double seconds = 0;               // to the last answer
  double busy = 0;                  // of all replicas' time until then

  // What must be none in any run.
  uint64_t unanswered = 0, answered_again = 0;
  uint64_t wrong = 0;      // good answers that lack a text's row, or have it elsewhere
  uint64_t left_busy = 0;  // replicas with work at the end

  // Bounds.
  int64_t most_queued = 0;    // tokens, at any replica
  int64_t largest_chunk = 0;  // tokens
  double longest_queue = 0;   // seconds, of any text at a replica
  double longest_answer = 0;  // seconds, good or not
};

// The latency, in seconds, that a share of them does not pass; 0 of none. `sorted` ascends.
double quantile(const std::vector<float>& sorted, double share);

}  // namespace bouquet::simulate
