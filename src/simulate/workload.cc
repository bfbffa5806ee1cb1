// P(texts >= n) = 1/n up to the most, by the inverse of that.
#include "simulate/workload.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bouquet::simulate {
namespace {

constexpr int kLengths = 1024;

std::vector<int32_t> equally_likely_lengths(int32_t shortest, int32_t longest) {
  std::vector<int32_t> lengths(kLengths);
  for (int i = 0; i < kLengths; ++i) {
    const double share = (i + 0.5) / kLengths;
    lengths[i] = static_cast<int32_t>(std::lround(shortest * std::pow(double{1} * longest / shortest, share)));
  }
  return lengths;
}

// Of 1/u, rounded down, for u above 1 / (most + 1).
double mean_of_texts(int32_t most) {
  double sum = 0;
  for (int32_t n = 1; n <= most; ++n) sum += 1.0 / (n + 1);
  return sum * (most + 1) / most;
}

}  // namespace

Workload::Workload(const WorkloadOptions& options, double tokens_per_second)
    : options_(options),
      lengths_(equally_likely_lengths(options.shortest, options.longest)),
      mean_texts_(mean_of_texts(options.most_texts)),
      mean_tokens_(std::accumulate(lengths_.begin(), lengths_.end(), 0.0) / kLengths),
      mean_gap_(mean_texts_ * mean_tokens_ / tokens_per_second),
      arrivals_(options.seed, 1),
      sizes_(options.seed, 2) {}

std::optional<Request> Workload::next() {
  if (given_ == options_.requests) return std::nullopt;
  const double least = 1.0 / (options_.most_texts + 1);
  const double u = 1 - sizes_.uniform() * (1 - least);
  const auto texts = std::clamp(static_cast<int32_t>(1 / u), 1, options_.most_texts);
  Request request{.number = given_++, .lengths = std::vector<int32_t>(static_cast<size_t>(texts))};
  for (int32_t& length : request.lengths) length = lengths_[sizes_.below(kLengths)];
  return request;
}

}  // namespace bouquet::simulate
