// Values that trec_eval's definitions give by hand, and some of its own.
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

// Computed by trec_eval's code (pytrec_eval-terrier 0.5.11) on made-up judgements.
TEST(Metrics, AsTrecEval) {
  const Relevance relevance = {{"d11", 1}, {"d12", 0}, {"d28", 3}, {"d29", 2}, {"d30", 1},
                               {"d32", 0}, {"d35", 0}, {"d38", 3}, {"d39", 3}};
  const std::vector<std::string> ranking = {"d39", "d10", "d0",  "d33", "d4",  "d3",  "d2", "d12",
                                            "d15", "d19", "d37", "d24", "d14", "d38", "d27"};
  EXPECT_NEAR(ndcg(ranking, relevance, 10), 0.3751311847255963, 1e-12);
  EXPECT_NEAR(recall(ranking, relevance, 5), 0.16666666666666666, 1e-12);
  EXPECT_NEAR(recall(ranking, relevance, 100), 0.3333333333333333, 1e-12);
  EXPECT_EQ(reciprocal_rank(ranking, relevance, 10), 1);
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
