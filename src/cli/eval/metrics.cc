// Sums over the first ranks.
#include "cli/eval/metrics.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace bouquet::cli {
namespace {

int32_t relevance_of(const std::string& document, const Relevance& relevance) {
  const auto found = relevance.find(document);
  return found == relevance.end() ? 0 : found->second;
}

double gain(std::span<const int32_t> relevances, size_t depth) {
  double sum = 0;
  for (size_t i = 0; i < std::min(depth, relevances.size()); ++i) sum += relevances[i] / std::log2(i + 2.0);
  return sum;
}

}  // namespace

double ndcg(std::span<const std::string> ranking, const Relevance& relevance, size_t depth) {
  std::vector<int32_t> best, got;
  for (const auto& [document, value] : relevance) best.push_back(value);
  std::sort(best.begin(), best.end(), std::greater<>());
  for (const std::string& document : ranking) got.push_back(relevance_of(document, relevance));
  const double most = gain(best, depth);
  return most > 0 ? gain(got, depth) / most : 0;
}

double recall(std::span<const std::string> ranking, const Relevance& relevance, size_t depth) {
  const auto relevant = std::count_if(relevance.begin(), relevance.end(), [](const auto& r) { return r.second > 0; });
  const auto first = ranking.first(std::min(depth, ranking.size()));
  const auto found = std::count_if(first.begin(), first.end(),
                                   [&](const std::string& document) { return relevance_of(document, relevance) > 0; });
  return relevant > 0 ? static_cast<double>(found) / static_cast<double>(relevant) : 0;
}

double reciprocal_rank(std::span<const std::string> ranking, const Relevance& relevance, size_t depth) {
  for (size_t i = 0; i < std::min(depth, ranking.size()); ++i) {
    if (relevance_of(ranking[i], relevance) > 0) return 1.0 / static_cast<double>(i + 1);
  }
  return 0;
}

}  // namespace bouquet::cli
