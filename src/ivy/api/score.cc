// Sorted by logit, so that scores too near 1 to differ still keep their order.
#include "ivy/api/score.h"

#include <algorithm>

#include "ivy/api/encode.h"

namespace bouquet::ivy {

std::vector<Ranked> rank(const JobResult& result, bool raw) {
  std::vector<Ranked> ranked;
  const auto row = static_cast<size_t>(result.row_size);
  for (size_t i = 0; i * row < result.values.size(); ++i) ranked.push_back({i, result.values[i * row]});
  std::stable_sort(ranked.begin(), ranked.end(), [](const Ranked& a, const Ranked& b) { return a.score > b.score; });
  if (!raw) {
    for (Ranked& item : ranked) item.score = sigmoid(item.score);
  }
  return ranked;
}

double cosine(const JobResult& result, size_t a, size_t b) {
  double dot = 0;
  for (int32_t k = 0; k < result.row_size; ++k) dot += static_cast<double>(result.row(a)[k]) * result.row(b)[k];
  return dot;
}

std::string_view scale_name(bool raw) { return raw ? "logit" : "probability"; }

}  // namespace bouquet::ivy
