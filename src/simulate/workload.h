// The requests of a run, in the order they come: at random times (Poisson), with 1 to 2,048 texts each. Half have one
// text, one in n has n or more: half of all texts come in requests of 45 and more. Lengths of texts spread evenly over
// the logarithm, from the shortest to the longest.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "simulate/cost.h"
#include "simulate/random.h"

namespace bouquet::simulate {

struct WorkloadOptions {
  uint64_t requests = 50'000;
  int32_t most_texts = 2048;  // a request
  int32_t shortest = 8;       // tokens a text
  int32_t longest = 256;
  uint64_t seed = 1;
};

struct Request {
  uint64_t number = 0;
  std::vector<int32_t> lengths;  // tokens of each text
};

class Workload {
 public:
  // `tokens_per_second` arrive, in the long run.
  Workload(const WorkloadOptions& options, double tokens_per_second);

  // Nothing after the last. It comes gap() after the one before.
  std::optional<Request> next();
  Clock::duration gap() { return to_duration(arrivals_.exponential(mean_gap_)); }

  double mean_texts() const { return mean_texts_; }    // a request
  double mean_tokens() const { return mean_tokens_; }  // a text
  // From the first request to the last, in the long run.
  double seconds() const { return mean_gap_ * static_cast<double>(options_.requests); }

 private:
  const WorkloadOptions options_;
  std::vector<int32_t> lengths_;  // equally likely ones
  double mean_texts_ = 0, mean_tokens_ = 0;
  double mean_gap_ = 0;  // seconds
  Random arrivals_, sizes_;
  uint64_t given_ = 0;
};

}  // namespace bouquet::simulate
