// Weaviate's routes.
#include "ivy/api/weaviate.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ivy/testing/harness.h"

namespace bouquet::ivy {
namespace {

using testing::HasSubstr;
using testing_fakes::embedder_card;
using testing_fakes::Harness;
using testing_fakes::Parsed;

std::string vector_of(Harness& harness, const std::string& body) {
  const http::Response response = harness.post("/vectors", body);
  EXPECT_EQ(response.status, 200) << response.body;
  return simdjson::minify(Parsed(response)["vector"].value());
}

TEST(Weaviate, EmbedsAText) {
  Harness harness(embedder_card());
  const Parsed json(harness.post("/vectors", R"({"text":"a b","config":{"pooling_strategy":"masked_mean"}})"));
  EXPECT_EQ(std::string_view(json["text"]), "a b");
  EXPECT_EQ(json["vector"].get_array().size(), 4u);
  EXPECT_EQ(int64_t(json["dim"]), 4);
  EXPECT_THAT(harness.post("/vectors", R"({"text":""})").body, HasSubstr(R"({"error":"text is empty"})"));
  EXPECT_THAT(harness.post("/vectors", "{}").body, HasSubstr("text"));
  EXPECT_THAT(harness.post("/vectors", R"({"text":"a","config":{"task_type":7}})").body, HasSubstr("config.task_type"));
}

TEST(Weaviate, TaskTypesArePromptsThatTheModelHas) {
  GatewayOptions options;
  options.recipe.prompts = {{"query", "q "}};
  Harness harness(embedder_card(), options);
  EXPECT_EQ(vector_of(harness, R"({"text":"a","config":{"task_type":"query"}})"),
            vector_of(harness, R"({"text":"q a"})"));
  EXPECT_EQ(vector_of(harness, R"({"text":"a","config":{"task_type":"passage"}})"),
            vector_of(harness, R"({"text":"a"})"));
}

TEST(Weaviate, TellsOfItself) {
  Harness harness(embedder_card());
  EXPECT_EQ(int64_t(Parsed(harness.send("GET", "/meta"))["dimensions"]), 4);
  EXPECT_EQ(harness.send("GET", "/.well-known/live").status, 204);
  EXPECT_EQ(harness.send("GET", "/.well-known/ready").status, 204);
  harness.client->set_ready(false);
  EXPECT_EQ(harness.send("GET", "/.well-known/live").status, 204);
  EXPECT_EQ(harness.send("GET", "/.well-known/ready").status, 503);
}

}  // namespace
}  // namespace bouquet::ivy
