// The rerank dialect, edge case by edge case.
#include "ivy/api/rerank.h"

#include <cmath>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ivy/testing/harness.h"

namespace bouquet::ivy {
namespace {

using testing::HasSubstr;
using testing_fakes::Harness;
using testing_fakes::header_of;
using testing_fakes::Parsed;
using testing_fakes::reranker_card;

class RerankTest : public testing::Test {
 protected:
  std::string error(const std::string& body) {
    const http::Response response = harness_.post("/v1/rerank", body);
    const Parsed json(response);
    std::string_view param = "-";
    if (json["param"].get(param) != simdjson::SUCCESS) param = "-";
    return std::to_string(response.status) + " " + std::string(param) + " " +
           std::string(std::string_view(json["message"]));
  }
  Harness harness_{reranker_card()};
};

TEST_F(RerankTest, AnswersOnAllItsRoutes) {
  const std::string body = R"({"model":"model","query":"q","documents":["a","b",{"text":"c"}]})";
  for (const char* path : {"/v1/rerank", "/v2/rerank", "/rerank"}) {
    const http::Response response = harness_.post(path, body);
    ASSERT_EQ(response.status, 200) << response.body;
    const Parsed json(response);
    EXPECT_EQ(json["results"].get_array().size(), 3u);
    EXPECT_EQ(std::string_view(json["model"]), "model");
    EXPECT_EQ(std::string_view(json["id"]), "id-1");
    EXPECT_EQ(std::string_view(json["score_scale"]), "probability");
    EXPECT_EQ(header_of(response, "x-bouquet-score-scale"), "probability");
    EXPECT_EQ(int64_t(json["usage"]["total_tokens"]), 15);
    EXPECT_EQ(std::string_view(json["meta"]["api_version"]["version"]), path[2] == '2' ? "2" : "1");
    EXPECT_EQ(int64_t(json["meta"]["billed_units"]["search_units"]), 1);
    EXPECT_NE(json["results"].at(0)["document"].error(), simdjson::SUCCESS);
  }
}

TEST_F(RerankTest, SortsWithTiesByIndexOnBothScales) {
  const std::string body = R"("query":"q","documents":["a","b","a","b","a"]})";
  const Parsed squashed(harness_.post("/v1/rerank", "{" + body));
  const Parsed raw(harness_.post("/v1/rerank", R"({"raw_scores":true,)" + body));
  EXPECT_EQ(std::string_view(raw["score_scale"]), "logit");
  int64_t index[5];
  for (size_t i = 0; i < 5; ++i) {
    index[i] = squashed["results"].at(i)["index"].get_int64().value();
    EXPECT_EQ(index[i], raw["results"].at(i)["index"].get_int64().value());
    const double logit = raw["results"].at(i)["relevance_score"].get_double().value();
    EXPECT_NEAR(squashed["results"].at(i)["relevance_score"].get_double().value(), 1 / (1 + std::exp(-logit)), 1e-3);
  }
  const bool a_first = index[0] == 0;
  EXPECT_THAT(std::vector<int64_t>(index, index + 5),
              a_first ? testing::ElementsAre(0, 2, 4, 1, 3) : testing::ElementsAre(1, 3, 0, 2, 4));
}

TEST_F(RerankTest, ReturnsTheBestAndTheDocuments) {
  const auto results = [&](const std::string& extra) {
    return Parsed(harness_.post("/v1/rerank",
                                R"({"query":"q","documents":["a",{"text":"b"},"c"])" + extra + "}"))["results"]
        .get_array()
        .size();
  };
  EXPECT_EQ(results(R"(,"top_n":2)"), 2u);
  EXPECT_EQ(results(R"(,"top_n":99)"), 3u);
  EXPECT_EQ(results(R"(,"top_n":null)"), 3u);
  const Parsed json(harness_.post("/v1/rerank", R"({"query":"q","documents":[{"text":"b"}],"return_documents":true})"));
  EXPECT_EQ(std::string_view(json["results"].at(0)["document"]["text"]), "b");
}

TEST_F(RerankTest, CutsLongPairsAndSaysSo) {
  const std::string longest = "a a a a a a a a a a a a a a a a a a a a";
  const http::Response cut = harness_.post("/v1/rerank", R"({"query":"q","documents":["b",")" + longest + "\"]}");
  EXPECT_EQ(header_of(cut, "x-bouquet-truncated"), "1");
  EXPECT_THAT(error(R"({"query":"q","truncate":false,"documents":[")" + longest + "\"]}"),
              HasSubstr("400 documents[0] documents[0] has 24 tokens"));
  const http::Response bounded =
      harness_.post("/v1/rerank", R"({"query":"q","max_tokens_per_doc":2,"documents":[")" + longest + "\"]}");
  EXPECT_EQ(int64_t(Parsed(bounded)["usage"]["total_tokens"]), 6);
}

TEST_F(RerankTest, NamesWhatIsWrong) {
  EXPECT_THAT(error(R"({"query":"q","documents":[]})"), HasSubstr("400 documents documents is empty"));
  EXPECT_THAT(error(R"({"query":"q"})"), HasSubstr("400 documents"));
  EXPECT_THAT(error(R"({"documents":["a"]})"), HasSubstr("400 query"));
  EXPECT_THAT(error(R"({"query":"","documents":["a"]})"), HasSubstr("400 query query is empty"));
  EXPECT_THAT(error(R"({"query":["q"],"documents":["a"]})"), HasSubstr("400 query"));
  EXPECT_THAT(error(R"({"query":"q","documents":"a"})"), HasSubstr("400 documents"));
  EXPECT_THAT(error(R"({"query":"q","documents":["a",""]})"), HasSubstr("400 documents[1] documents[1] is empty"));
  EXPECT_THAT(error(R"({"query":"q","documents":["a",{"title":"x"}]})"), HasSubstr("400 documents[1].text"));
  EXPECT_THAT(error(R"({"query":"q","documents":[["a"]]})"), HasSubstr("400 documents[0]"));
  EXPECT_THAT(error(R"({"query":"q","documents":["a"],"top_n":0})"), HasSubstr("400 top_n"));
  EXPECT_THAT(error(R"({"query":"q","documents":["a"],"top_n":"1"})"), HasSubstr("400 top_n"));
  EXPECT_THAT(error(R"({"query":"q","documents":["a"],"max_tokens_per_doc":-1})"), HasSubstr("400 max_tokens_per_doc"));
  EXPECT_THAT(error(R"({"query":"q","documents":["a"],"instruction":"x"})"), HasSubstr("400 instruction"));
  EXPECT_THAT(error(R"({"query":"q","documents":["a"],"model":"gpt-4"})"), HasSubstr("404"));
  EXPECT_THAT(error(R"({"query":"q","query":"r","documents":["a"]})"), HasSubstr("stands twice"));
}

TEST_F(RerankTest, LimitsTheNumberOfDocuments) {
  std::string documents = "\"a\"";
  for (int i = 0; i < 2048; ++i) documents += ",\"a\"";
  EXPECT_THAT(error(R"({"query":"q","documents":[)" + documents + "]}"), HasSubstr("400 documents"));
}

TEST(Rerank, AnEmbedderDoesNotRank) {
  Harness harness(testing_fakes::embedder_card());
  const http::Response response = harness.post("/v1/rerank", R"({"query":"q","documents":["a"]})");
  EXPECT_EQ(response.status, 400);
  EXPECT_THAT(response.body, HasSubstr("not a reranker"));
}

TEST(Rerank, InstructionsGoIntoTheTemplate) {
  GatewayOptions options;
  options.recipe.rerank_template = RerankTemplate{"{instruction} | {query} {document} end", "usual"};
  Harness harness(reranker_card(), options);
  const auto ids = [&](const std::string& extra) {
    const std::string body = R"({"query":"q","documents":["a"])" + extra + "}";
    const http::Response response = harness.post("/v1/rerank", body);
    EXPECT_EQ(response.status, 200) << response.body;
    return harness.client->chunks().back().ids;
  };
  EXPECT_EQ(ids(R"(,"instruction":"usual")"), ids(""));
  EXPECT_NE(ids(R"(,"instruction":"other")"), ids(""));
}

}  // namespace
}  // namespace bouquet::ivy
