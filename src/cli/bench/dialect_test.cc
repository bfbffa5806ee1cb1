// Bodies as each server expects them; replies of both shapes.
#include "cli/bench/dialect.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace bouquet::cli {
namespace {

TEST(Dialect, Bodies) {
  EXPECT_EQ(embed_body(*find_dialect("openai"), "m", {"a", "b"}), R"({"model":"m","input":["a","b"]})");
  EXPECT_EQ(embed_body(*find_dialect("tei"), "m", {"a"}), R"({"model":"m","inputs":["a"]})");
  EXPECT_EQ(embed_ids_body(*find_dialect("vllm"), "m", {1, 2}), R"({"model":"m","input":[[1,2]]})");
  EXPECT_EQ(rerank_body(*find_dialect("tei"), "m", "q", {"d"}), R"({"model":"m","query":"q","texts":["d"]})");
  EXPECT_FALSE(find_dialect("soap").ok());
}

TEST(Dialect, Replies) {
  using testing::ElementsAre;
  EXPECT_THAT(*parse_vectors(R"({"data":[{"index":0,"embedding":[1,2.5]}]})"), ElementsAre(ElementsAre(1, 2.5)));
  EXPECT_THAT(*parse_vectors("[[1],[2]]"), ElementsAre(ElementsAre(1), ElementsAre(2)));
  EXPECT_FALSE(parse_vectors("{}").ok());
  EXPECT_NEAR(cosine_deviation({1, 0}, {1, 0}), 0, 1e-12);
  EXPECT_NEAR(cosine_deviation({1, 0}, {0, 1}), 1, 1e-12);
  EXPECT_GT(cosine_deviation({1}, {1, 0}), 1);
}

}  // namespace
}  // namespace bouquet::cli
