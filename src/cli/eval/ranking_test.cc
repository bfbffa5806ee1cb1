// The kept documents are those that sorting all would put first.
#include "cli/eval/ranking.h"

#include <algorithm>
#include <random>

#include "gtest/gtest.h"

namespace bouquet::cli {
namespace {

TEST(Ranking, KeepsTheBestOfAll) {
  constexpr size_t kQueries = 3, kDimensions = 11, kDepth = 7;
  std::mt19937 random(1);
  std::uniform_int_distribution<int> small(-2, 2);  // so that there are ties, and sums are exact
  const auto row = [&] {
    std::vector<float> values(kDimensions);
    for (float& value : values) value = static_cast<float>(small(random));
    return values;
  };
  std::vector<float> queries;
  for (size_t i = 0; i < kQueries; ++i) {
    const auto values = row();
    queries.insert(queries.end(), values.begin(), values.end());
  }
  Ranking ranking(queries, kDimensions, kDepth);
  std::vector<std::vector<std::pair<float, int64_t>>> all(kQueries);  // (-score, document)
  for (int64_t document = 0; document < 200; ++document) {
    const auto values = row();
    ranking.add(values);
    for (size_t q = 0; q < kQueries; ++q) {
      float score = 0;
      for (size_t i = 0; i < kDimensions; ++i) score += queries[q * kDimensions + i] * values[i];
      all[q].emplace_back(-score, document);
    }
  }
  for (size_t q = 0; q < kQueries; ++q) {
    std::sort(all[q].begin(), all[q].end());
    const std::vector<Scored> best = ranking.best(q);
    ASSERT_EQ(best.size(), kDepth);
    for (size_t i = 0; i < kDepth; ++i) {
      EXPECT_EQ(best[i].document, all[q][i].second);
      EXPECT_EQ(best[i].score, -all[q][i].first);
    }
  }
}

TEST(Ranking, OfFewerThanItsDepth) {
  Ranking ranking({1}, 1, 5);
  ranking.add(std::vector<float>{2});
  ASSERT_EQ(ranking.best(0).size(), 1u);
  EXPECT_EQ(ranking.queries(), 1u);
}

}  // namespace
}  // namespace bouquet::cli
