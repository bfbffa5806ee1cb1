// Means over queries, the lines of a run, and the keys of the JSON.
#include "cli/eval/report.h"

#include <sstream>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace bouquet::cli {
namespace {

using testing::HasSubstr;

const std::vector<Query> kQueries = {{"q1", "one"}, {"q2", "two"}};
const std::vector<std::vector<Hit>> kRankings = {{{"a", 0.5F}, {"b", 0.25F}}, {{"b", 1}}};
const Judgements kJudgements = {{"q1", {{"b", 1}}}, {"q2", {{"b", 1}}}, {"q3", {{"a", 1}}}};

TEST(Report, MeansOverTheQueriesThatAreThere) {
  const Score score = mean_score(kQueries, kRankings, kJudgements);
  EXPECT_NEAR(score.ndcg, (0.6309297535714575 + 1) / 2, 1e-12);
  EXPECT_DOUBLE_EQ(score.recall, 1);
  EXPECT_DOUBLE_EQ(score.reciprocal_rank, 0.75);
}

TEST(Report, WritesARun) {
  std::ostringstream out;
  write_run(out, kQueries, kRankings);
  EXPECT_EQ(out.str(), "q1 Q0 a 1 0.5 bouquet\nq1 Q0 b 2 0.25 bouquet\nq2 Q0 b 1 1 bouquet\n");
}

TEST(Report, PrintsJsonAndATable) {
  EvalReport report{"m", "f32", "test", "cosine", 2, 6, 4, {0.5, 1, 0.25}};
  EXPECT_EQ(to_json(report),
            R"({"model":"m","dtype":"f32","split":"test","similarity":"cosine","queries":2,"documents":6,)"
            R"("ndcg_at_10":0.5,"recall_at_100":1,"mrr_at_10":0.25,"seconds":4,"texts_per_second":2})");
  EXPECT_THAT(to_table(report), HasSubstr("m (f32)\n2 queries of test, 6 documents, by cosine; 2.0 texts/s\n"));
  report.dtype.clear();
  EXPECT_THAT(to_json(report), HasSubstr(R"("dtype":null)"));
}

}  // namespace
}  // namespace bouquet::cli
