// The nearest rank.
#include "simulate/result.h"

#include <algorithm>
#include <cmath>

namespace bouquet::simulate {

double quantile(const std::vector<float>& sorted, double share) {
  if (sorted.empty()) return 0;
  const auto rank = static_cast<size_t>(std::ceil(share * static_cast<double>(sorted.size())));
  return sorted[std::clamp<size_t>(rank, 1, sorted.size()) - 1];
}

}  // namespace bouquet::simulate
