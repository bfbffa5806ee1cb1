// Sorting and ranks.
#include "cli/bench/statistics.h"

#include <algorithm>
#include <cmath>

namespace bouquet::cli {

Summary summarize(std::vector<double> seconds) {
  if (seconds.empty()) return {};
  std::sort(seconds.begin(), seconds.end());
  const auto rank = [&](double share) {
    const auto n = static_cast<size_t>(std::ceil(share * static_cast<double>(seconds.size())));
    return seconds[std::max<size_t>(n, 1) - 1];
  };
  return {seconds.size(), rank(0.50), rank(0.90), rank(0.99), seconds.back()};
}

}  // namespace bouquet::cli
