// Latencies to percentiles.
#pragma once

#include <cstddef>
#include <vector>

namespace bouquet::cli {

struct Summary {
  size_t count = 0;
  double p50 = 0, p90 = 0, p99 = 0, max = 0;  // seconds
};

// Nearest-rank percentiles: p99 of 100 values is the 99th.
Summary summarize(std::vector<double> seconds);

}  // namespace bouquet::cli
