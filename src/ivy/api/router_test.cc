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

}  // namespace
}  // namespace bouquet::ivy
