// Which route, which dialect, and what is refused before any body is read.
#include "ivy/api/router.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ivy/testing/harness.h"

namespace bouquet::ivy {
namespace {

using testing::HasSubstr;
using testing_fakes::Harness;
using testing_fakes::header_of;

TEST(Router, RefusesUnknownPathsAndMethods) {
  Harness harness(testing_fakes::embedder_card());
  const http::Response lost = harness.send("GET", "/v2/nothing");
  EXPECT_EQ(lost.status, 404);
  EXPECT_THAT(lost.body, HasSubstr("\"error\":{"));
  const http::Response wrong = harness.send("GET", "/v1/embeddings");
  EXPECT_EQ(wrong.status, 405);
  EXPECT_EQ(header_of(wrong, "allow"), "POST, OPTIONS");
  EXPECT_EQ(header_of(harness.send("DELETE", "/health"), "allow"), "GET, HEAD, OPTIONS");
  EXPECT_THAT(harness.send("PUT", "/embed").body, HasSubstr("error_type"));
  EXPECT_EQ(harness.send("GET", "/v1/models/").status, 404);
}

TEST(Router, AnswersOptionsAndHead) {
  Harness harness(testing_fakes::embedder_card());
  const http::Response options = harness.send("OPTIONS", "/v1/rerank");
  EXPECT_EQ(options.status, 204);
  EXPECT_EQ(header_of(options, "allow"), "POST, OPTIONS");
  EXPECT_EQ(harness.send("HEAD", "/health").status, 200);
  EXPECT_EQ(harness.send("HEAD", "/embed").status, 405);
}

TEST(Router, ChoosesTheDialectByTheBody) {
  Harness harness(testing_fakes::reranker_card());
  EXPECT_THAT(harness.post("/rerank", R"({"query":"q","texts":["a"]})").body, testing::StartsWith("[{"));
  EXPECT_THAT(harness.post("/rerank", R"({"query":"q","documents":["a"]})").body, HasSubstr("relevance_score"));
  EXPECT_THAT(harness.post("/rerank", R"({"query":"q","documents":[]})").body, HasSubstr("\"message\""));
  EXPECT_THAT(harness.post("/rerank", R"({"query":"q"})").body, HasSubstr("error_type"));
  EXPECT_EQ(harness.post("/rerank", "[]").status, 422);
}

TEST(Router, ReadsLargeBodiesToo) {
  Harness harness(testing_fakes::embedder_card());
  const std::string body = R"({"input":")" + std::string(300'000, 'a') + "\"}";
  EXPECT_EQ(harness.post("/v1/embeddings", body).status, 200);
  EXPECT_EQ(harness.post("/v1/embeddings", body + "x").status, 400);
}

TEST(Router, RefusesInTheRoutesShape) {
  Harness harness(testing_fakes::embedder_card());
  http::RequestHead head;
  head.path = "/embed";
  EXPECT_THAT(harness.router.refuse(head, absl::OutOfRangeError("big")).body, HasSubstr("error_type"));
  head.path = "/v1/rerank";
  EXPECT_THAT(harness.router.refuse(head, absl::OutOfRangeError("big")).body, HasSubstr("\"object\":\"error\""));
  head.path = "/anything";
  const http::Response response = harness.router.refuse(head, absl::UnauthenticatedError("no key"));
  EXPECT_THAT(response.body, HasSubstr("invalid_api_key"));
  EXPECT_EQ(header_of(response, "www-authenticate"), "Bearer");
}

// "first" is the harness's own; "second" ends each embedding with another id.
class RouterOfTwo : public testing::Test {
 protected:
  RouterOfTwo() { harness_.catalog.set(both(second_)); }
  std::shared_ptr<const Catalog> both(std::shared_ptr<Gateway> second) const {
    return Catalog::create({{"first", {"main"}, harness_.gateway}, {"org/second", {}, std::move(second)}}).value();
  }
  static GatewayOptions with_prompt() {
    GatewayOptions options;
    options.recipe.prompts = {{"query", "q "}};
    return options;
  }
  // Which of the models ran the request; its status where none did.
  std::string runner_of(const std::string& path, const std::string& body) {
    const size_t first = harness_.client->chunks().size(), second = client_->chunks().size();
    const int status = harness_.post(path, body).status;
    if (harness_.client->chunks().size() > first) return "first";
    return client_->chunks().size() > second ? "second" : std::to_string(status);
  }

  Harness harness_{testing_fakes::embedder_card()};
  const std::shared_ptr<testing_fakes::FakeClient> client_ =
      std::make_shared<testing_fakes::FakeClient>(testing_fakes::embedder_card());
  const std::shared_ptr<Gateway> second_ = testing_fakes::make_gateway({client_}, with_prompt());
};

TEST_F(RouterOfTwo, TheModelFieldChooses) {
  const std::string input = R"("input":"a b",)";
  for (const char* name : {"", "first", "main"}) {
    EXPECT_EQ(runner_of("/v1/embeddings", "{" + input + R"("model":")" + name + "\"}"), "first") << name;
  }
  for (const char* name : {"org/second", "second", "second:query"}) {
    EXPECT_EQ(runner_of("/v1/embeddings", "{" + input + R"("model":")" + name + "\"}"), "second") << name;
  }
  EXPECT_EQ(client_->chunks().back().ids.size(), 5u);  // with the prompt's word
  EXPECT_EQ(runner_of("/v1/embeddings", R"({"input":"a"})"), "first");
  EXPECT_EQ(runner_of("/v1/embeddings", R"({"input":"a","model":null})"), "first");
  EXPECT_EQ(runner_of("/v1/embeddings", R"({"input":"a","model":7})"), "400");
  EXPECT_EQ(runner_of("/v1/embeddings", R"({"input":"a","model":"first:query"})"), "404");
}

TEST_F(RouterOfTwo, TeiRequestsMayNameOneToo) {
  EXPECT_EQ(runner_of("/embed", R"({"inputs":"a"})"), "first");
  EXPECT_EQ(runner_of("/embed", R"({"inputs":"a","model":"second"})"), "second");
  EXPECT_EQ(runner_of("/embed", R"({"inputs":"a","model":"third"})"), "404");
  EXPECT_THAT(harness_.send("GET", "/info").body, HasSubstr("\"model_id\":\"first\""));
}

TEST_F(RouterOfTwo, UnknownModelsAreRefusedInEveryShape) {
  EXPECT_THAT(
      harness_.post("/v1/embeddings", R"({"input":"a","model":"third"})").body,
      testing::AllOf(HasSubstr("\"code\":\"model_not_found\""), HasSubstr("\\\"first\\\", \\\"org/second\\\"")));
  const http::Response rerank = harness_.post("/v1/rerank", R"({"query":"a","documents":["b"],"model":"third"})");
  EXPECT_EQ(rerank.status, 404);
  EXPECT_THAT(rerank.body, testing::AllOf(HasSubstr("\"object\":\"error\""), HasSubstr("org/second")));
  EXPECT_THAT(harness_.post("/embed", R"({"inputs":"a","model":"third"})").body, HasSubstr("error_type"));
}

TEST_F(RouterOfTwo, AModelWithoutReplicasFailsAlone) {
  client_->set_ready(false);
  EXPECT_EQ(runner_of("/embed", R"({"inputs":"a","model":"second"})"), "503");
  EXPECT_EQ(runner_of("/embed", R"({"inputs":"a"})"), "first");
  EXPECT_EQ(harness_.send("GET", "/ready").status, 200);
  harness_.client->set_ready(false);
  EXPECT_EQ(harness_.send("GET", "/ready").status, 503);
}

TEST_F(RouterOfTwo, AModelThatIsNotKnownYetIsUnavailable) {
  harness_.catalog.set(both(nullptr));
  const http::Response response = harness_.post("/v1/embeddings", R"({"input":"a","model":"second"})");
  EXPECT_EQ(response.status, 503);
  EXPECT_THAT(response.body, HasSubstr("no replica of org/second"));
  EXPECT_EQ(header_of(response, "retry-after"), "1");
  EXPECT_EQ(runner_of("/embed", R"({"inputs":"a"})"), "first");
  EXPECT_EQ(harness_.send("GET", "/v1/models/second").status, 200);
  harness_.catalog.set(both(second_));
  EXPECT_EQ(runner_of("/v1/embeddings", R"({"input":"a","model":"second"})"), "second");
}

TEST_F(RouterOfTwo, MetricsTellEachModelsReplicas) {
  const std::string body = harness_.send("GET", "/metrics").body;
  EXPECT_THAT(body, HasSubstr("bouquet_model_replicas{model=\"first\"} 1"));
  EXPECT_THAT(body, HasSubstr("bouquet_model_replicas{model=\"org/second\"} 1"));
}

TEST(Router, TheOnlyModelAnswersTeiWhateverItIsCalled) {
  Harness harness(testing_fakes::embedder_card());
  EXPECT_EQ(harness.post("/embed", R"({"inputs":"a","model":"other"})").status, 200);
  EXPECT_EQ(harness.post("/v1/embeddings", R"({"input":"a","model":"other"})").status, 404);
}

}  // namespace
}  // namespace bouquet::ivy
