// Health, metrics, and a description that names every route.
#include "ivy/api/operations.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ivy/testing/harness.h"

namespace bouquet::ivy {
namespace {

using testing::HasSubstr;
using testing_fakes::Harness;
using testing_fakes::Parsed;

TEST(Operations, HealthAndReadiness) {
  Harness harness(testing_fakes::embedder_card());
  EXPECT_EQ(harness.send("GET", "/health").status, 200);
  EXPECT_EQ(harness.send("GET", "/ready").status, 200);
  harness.client->set_ready(false);
  EXPECT_EQ(harness.send("GET", "/health").status, 200);
  EXPECT_EQ(harness.send("GET", "/ready").status, 503);
}

TEST(Operations, MetricsAreText) {
  Harness harness(testing_fakes::embedder_card());
  const http::Response response = harness.send("GET", "/metrics");
  EXPECT_THAT(response.content_type, HasSubstr("text/plain"));
  EXPECT_THAT(response.body, HasSubstr("bouquet_tokens_total"));
}

TEST(Operations, TheDescriptionIsTrue) {
  Harness harness(testing_fakes::embedder_card());
  const Parsed json(harness.send("GET", "/openapi.json"));
  const simdjson::dom::object paths = json["paths"].get_object();
  for (const Route& route : harness.router.routes()) {
    simdjson::dom::object path;
    bool found = false;
    for (const auto field : paths) {
      if (field.key == route.path) found = field.value.get(path) == simdjson::SUCCESS;
    }
    ASSERT_TRUE(found) << route.path;
    const auto operation = path[route.method == "GET" ? "get" : "post"];
    EXPECT_EQ(operation.error(), simdjson::SUCCESS) << route.path;
    EXPECT_EQ(operation["requestBody"].error() == simdjson::SUCCESS, !route.request.empty()) << route.path;
  }
  for (const auto path : paths) {
    const bool known = harness.router.find(path.key) != nullptr;
    EXPECT_TRUE(known) << path.key;
  }
}

TEST(Operations, DocsNameTheRoutes) {
  Harness harness(testing_fakes::embedder_card());
  const http::Response response = harness.send("GET", "/docs");
  EXPECT_THAT(response.content_type, HasSubstr("text/html"));
  EXPECT_THAT(response.body, HasSubstr("/v1/rerank"));
}

}  // namespace
}  // namespace bouquet::ivy
