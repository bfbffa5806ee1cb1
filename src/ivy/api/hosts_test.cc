// SageMaker and Vertex AI.
#include "ivy/api/hosts.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ivy/testing/harness.h"

namespace bouquet::ivy {
namespace {

using testing::HasSubstr;
using testing_fakes::embedder_card;
using testing_fakes::Harness;
using testing_fakes::Parsed;
using testing_fakes::reranker_card;

TEST(Hosts, InvocationsSpeakTheDialectOfTheBody) {
  Harness embedder(embedder_card()), reranker(reranker_card());
  const std::string tei = R"({"inputs":"a"})", openai = R"({"input":"a"})";
  EXPECT_EQ(embedder.post("/invocations", tei).body, embedder.post("/embed", tei).body);
  EXPECT_EQ(embedder.post("/invocations", openai).body, embedder.post("/v1/embeddings", openai).body);
  const std::string texts = R"({"query":"a","texts":["b"]})", documents = R"({"query":"a","documents":["b"]})";
  EXPECT_EQ(reranker.post("/invocations", texts).body, reranker.post("/rerank", texts).body);
  EXPECT_EQ(reranker.post("/invocations", documents).body, reranker.post("/rerank", documents).body);
  EXPECT_THAT(embedder.post("/invocations", R"({"input":""})").body, HasSubstr("\"param\":\"input\""));
  EXPECT_THAT(embedder.post("/invocations", R"({"text":""})").body, HasSubstr("error_type"));
}

TEST(Hosts, PingIsReadiness) {
  Harness harness(embedder_card());
  EXPECT_EQ(harness.send("GET", "/ping").status, 200);
  EXPECT_EQ(harness.send("GET", "/ping").body, "");
  harness.client->set_ready(false);
  EXPECT_EQ(harness.send("GET", "/ping").status, 503);
}

TEST(Hosts, VertexAnswersEachInstance) {
  Harness harness(embedder_card());
  const http::Response response = harness.post(
      "/vertex", R"({"instances":[{"inputs":"a"},{"inputs":["a","b c"],"normalize":false,"dimensions":2}]})");
  ASSERT_EQ(response.status, 200) << response.body;
  EXPECT_EQ(response.body,
            "{\"predictions\":[" + harness.post("/embed", R"({"inputs":"a"})").body + ",[[30,3],[60,4]]]}");
  EXPECT_EQ(response.tokens, 3 + 3 + 4);
  Harness reranker(reranker_card());
  const std::string texts = R"({"query":"a","texts":["b"]})", one = R"({"inputs":["a","b"]})";
  EXPECT_EQ(
      reranker.post("/vertex", "{\"instances\":[" + texts + "," + one + "]}").body,
      "{\"predictions\":[" + reranker.post("/rerank", texts).body + "," + reranker.post("/predict", one).body + "]}");
}

TEST(Hosts, VertexErrorsNameTheInstance) {
  Harness harness(embedder_card());
  const auto error = [&](const std::string& instances) {
    const http::Response response = harness.post("/vertex", "{\"instances\":" + instances + "}");
    return std::to_string(response.status) + " " + std::string(std::string_view(Parsed(response)["error"]));
  };
  EXPECT_EQ(error(R"([{"inputs":"a"},{"inputs":["a",""]}])"), "400 instances[1]: inputs[1] is empty");
  EXPECT_EQ(error(R"([{"inputs":"a"},{"inputs":""},{"inputs":""}])"), "400 instances[1]: inputs is empty");
  EXPECT_THAT(error(R"([{"inputs":"a"},{}])"), HasSubstr("422 instances[1]: the field \"inputs\" is missing"));
  EXPECT_THAT(error(R"([{"inputs":"a"},7])"), HasSubstr("422 instances[1]: the body must be an object"));
  EXPECT_THAT(error("[]"), HasSubstr("400 instances is empty"));
  EXPECT_THAT(error("{}"), HasSubstr("422 instances must be a list"));
  ApiOptions few;
  few.max_inputs = 2;
  Harness strict(embedder_card(), {}, few);
  EXPECT_THAT(strict.post("/vertex", R"({"instances":[{"inputs":["a","b"]},{"inputs":"c"}]})").body,
              HasSubstr("instances have more than the 2 inputs"));
}

}  // namespace
}  // namespace bouquet::ivy
