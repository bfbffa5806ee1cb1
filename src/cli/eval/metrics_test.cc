// Values that trec_eval's definitions give by hand.
#include "cli/eval/metrics.h"

#include <vector>

#include "gtest/gtest.h"

namespace bouquet::cli {
namespace {

TEST(Metrics, NdcgOfGradedRelevance) {
  const Relevance relevance = {{"a", 3}, {"b", 2}, {"c", 3}, {"d", 0}, {"e", 1}, {"f", 2}};
  const std::vector<std::string> ranking = {"a", "b", "c", "d", "e", "f"};
  EXPECT_NEAR(ndcg(ranking, relevance, 6), 6.861126688593502 / 7.140995184095700, 1e-12);
  EXPECT_NEAR(ndcg(ranking, relevance, 1), 1, 1e-12);
  EXPECT_NEAR(ndcg(std::vector<std::string>{"x", "e"}, relevance, 2), 0.6309297535714575 / (3 + 3 * 0.6309297535714575),
              1e-12);
}

TEST(Metrics, RecallAndReciprocalRank) {
  const Relevance relevance = {{"a", 1}, {"b", 2}, {"c", 0}, {"d", 1}};
  const std::vector<std::string> ranking = {"c", "x", "b", "a"};
  EXPECT_DOUBLE_EQ(recall(ranking, relevance, 3), 1.0 / 3);
  EXPECT_DOUBLE_EQ(recall(ranking, relevance, 100), 2.0 / 3);
  EXPECT_DOUBLE_EQ(reciprocal_rank(ranking, relevance, 10), 1.0 / 3);
  EXPECT_DOUBLE_EQ(reciprocal_rank(ranking, relevance, 2), 0);
}

TEST(Metrics, NothingRelevantIsZero) {
  const std::vector<std::string> ranking = {"a"};
  EXPECT_EQ(ndcg(ranking, {{"a", 0}}, 10), 0);
  EXPECT_EQ(recall(ranking, {{"a", 0}}, 10), 0);
  EXPECT_EQ(ndcg({}, {{"a", 1}}, 10), 0);
}

}  // namespace
}  // namespace bouquet::cli
