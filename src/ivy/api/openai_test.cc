// The OpenAI dialect, edge case by edge case.
#include "ivy/api/openai.h"

#include <cstring>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ivy/testing/harness.h"

namespace bouquet::ivy {
namespace {

using testing::HasSubstr;
using testing_fakes::embedder_card;
using testing_fakes::Harness;
using testing_fakes::header_of;
using testing_fakes::Parsed;

constexpr char kPath[] = "/v1/embeddings";

GatewayOptions with_prompts() {
  GatewayOptions options;
  options.recipe.prompts = {{"query", "q "}, {"document", "d "}};
  return options;
}

class OpenaiTest : public testing::Test {
 protected:
  // The reply's error as "status param message".
  std::string error(const std::string& body) {
    const http::Response response = harness_.post(kPath, body);
    const Parsed json(response);
    const auto inner = json["error"];
    std::string_view param = "-";
    if (inner["param"].get(param) != simdjson::SUCCESS) param = "-";
    EXPECT_FALSE(std::string_view(inner["type"]).empty());
    return std::to_string(response.status) + " " + std::string(param) + " " +
           std::string(std::string_view(inner["message"]));
  }
  std::string embedding(const std::string& body) {
    const http::Response response = harness_.post(kPath, body);
    EXPECT_EQ(response.status, 200) << response.body;
    return simdjson::minify(Parsed(response)["data"].at(0)["embedding"].value());
  }

  Harness harness_{embedder_card(), with_prompts()};
};

TEST_F(OpenaiTest, AnswersInTheShapeOfTheApi) {
  const http::Response response = harness_.post(kPath, R"({"input":["a b","c"],"model":"fake/model"})");
  ASSERT_EQ(response.status, 200);
  const Parsed json(response);
  EXPECT_EQ(std::string_view(json["object"]), "list");
  EXPECT_EQ(std::string_view(json["model"]), "fake/model");
  EXPECT_EQ(std::string_view(json["data"].at(1)["object"]), "embedding");
  EXPECT_EQ(int64_t(json["data"].at(1)["index"]), 1);
  EXPECT_EQ(json["data"].at(1)["embedding"].get_array().size(), 4u);
  EXPECT_EQ(int64_t(json["usage"]["prompt_tokens"]), 7);
  EXPECT_EQ(int64_t(json["usage"]["total_tokens"]), 7);
  EXPECT_EQ(response.tokens, 7);
  EXPECT_EQ(harness_.post("/embeddings", R"({"input":"a"})").status, 200);
}

TEST_F(OpenaiTest, TokenIdsAreUsedAsTheyAre) {
  EXPECT_EQ(embedding(R"({"input":[1,27,2]})"), embedding(R"({"input":"a"})"));
  EXPECT_EQ(embedding(R"({"input":[[1,27,2]]})"), embedding(R"({"input":"a"})"));
  EXPECT_THAT(error(R"({"input":[1,27,200]})"), HasSubstr("400 input input[2] is 200, outside the vocabulary"));
  EXPECT_THAT(error(R"({"input":[[1,2],[27,28]]})"), HasSubstr("400 input[1] the token ids of input[1]"));
  EXPECT_THAT(error(R"({"input":[27,28]})"), HasSubstr("check_embedding_ctx_length=False"));
}

TEST_F(OpenaiTest, Base64IsBitEqualToFloat) {
  const http::Response floats = harness_.post(kPath, R"({"input":"a b c"})");
  std::vector<float> values;
  const Parsed json(floats);
  for (const double x : json["data"].at(0)["embedding"].get_array()) values.push_back(static_cast<float>(x));
  const std::string expected = base64({reinterpret_cast<const uint8_t*>(values.data()), values.size() * 4});
  EXPECT_EQ(embedding(R"({"input":"a b c","encoding_format":"base64"})"), "\"" + expected + "\"");
  EXPECT_EQ(embedding(R"({"input":"a","encoding_format":"base64","embed_dtype":"float16"})").size(), 2u + 12u);
}

TEST_F(OpenaiTest, UnknownFormatsAreRefused) {
  EXPECT_THAT(error(R"({"input":"a","encoding_format":"hex"})"), HasSubstr("400 encoding_format"));
  EXPECT_THAT(error(R"({"input":"a","encoding_format":5})"), HasSubstr("400 encoding_format"));
  EXPECT_THAT(error(R"({"input":"a","embedding_type":["float","int4"]})"), HasSubstr("400 embedding_type[1]"));
  EXPECT_THAT(error(R"({"input":"a","embedding_type":[]})"), HasSubstr("400 embedding_type"));
  EXPECT_THAT(error(R"({"input":"a","embed_dtype":"float16"})"), HasSubstr("needs encoding_format base64"));
  EXPECT_THAT(error(R"({"input":"a","embed_dtype":"int4"})"), HasSubstr("400 embed_dtype"));
}

TEST_F(OpenaiTest, DimensionsAreExact) {
  EXPECT_EQ(
      Parsed(harness_.post(kPath, R"({"input":"a","dimensions":2})"))["data"].at(0)["embedding"].get_array().size(),
      2u);
  for (const char* wrong : {"0", "-1", "5", "\"2\"", "1.5", "2.0", "true", "[]"}) {
    EXPECT_THAT(error(std::string(R"({"input":"a","dimensions":)") + wrong + "}"), HasSubstr("400 dimensions"))
        << wrong;
  }
}

TEST_F(OpenaiTest, EmptyInputsAreNamed) {
  EXPECT_THAT(error(R"({"input":""})"), HasSubstr("400 input input is empty"));
  EXPECT_THAT(error(R"({"input":[]})"), HasSubstr("400 input input is empty"));
  EXPECT_THAT(error(R"({"input":["a",""]})"), HasSubstr("400 input[1] input[1] is empty"));
  EXPECT_THAT(error(R"({"input":[[]]})"), HasSubstr("400 input[0] input[0] is empty"));
  EXPECT_THAT(error(R"({})"), HasSubstr("400 input"));
  EXPECT_THAT(error(R"({"input":null})"), HasSubstr("missing"));
  EXPECT_EQ(harness_.post(kPath, R"({"input":" "})").status, 200);
}

TEST_F(OpenaiTest, OtherMediaIsRefused) {
  EXPECT_THAT(error(R"({"input":[{"type":"image_url","image_url":"data:..."}]})"), HasSubstr("takes text"));
  EXPECT_THAT(error(R"({"messages":[{"role":"user"}]})"), HasSubstr("takes text"));
}

TEST_F(OpenaiTest, CutsAreNeverSilent) {
  const std::string text = R"("a b c d e f g h i j k l m n o p q r s t")";
  const http::Response cut = harness_.post(kPath, R"({"input":[)" + text + R"(,"a"]})");
  EXPECT_EQ(header_of(cut, "x-bouquet-truncated"), "1");
  EXPECT_EQ(cut.truncated, 1);
  EXPECT_EQ(int64_t(Parsed(cut)["usage"]["total_tokens"]), 16 + 3);
  EXPECT_EQ(header_of(harness_.post(kPath, R"({"input":"a"})"), "x-bouquet-truncated"), "none");
  EXPECT_THAT(error(R"({"truncate":false,"input":)" + text + "}"), HasSubstr("has 22 tokens, more than the 16"));
  EXPECT_NE(embedding(R"({"truncation_side":"left","input":)" + text + "}"), embedding(R"({"input":)" + text + "}"));
  EXPECT_THAT(error(R"({"input":"a","truncation_side":"up"})"), HasSubstr("400 truncation_side"));
  EXPECT_THAT(error(R"({"input":"a","truncate":"yes"})"), HasSubstr("400 truncate"));
}

TEST_F(OpenaiTest, PromptsComeByFieldModelNameOrInputType) {
  const std::string query = embedding(R"({"input":"q a"})");
  const std::string plain = embedding(R"({"input":"a"})");
  EXPECT_NE(query, plain);
  EXPECT_EQ(embedding(R"({"input":"a","prompt_name":"query"})"), query);
  EXPECT_EQ(embedding(R"({"input":"a","prompt":"q "})"), query);
  EXPECT_EQ(embedding(R"({"input":"a","model":"fake/model:query"})"), query);
  EXPECT_EQ(embedding(R"({"input":"a","model":"model:query"})"), query);
  EXPECT_EQ(embedding(R"({"input":"a","input_type":"search_query"})"), query);
  EXPECT_THAT(error(R"({"input":"a","prompt_name":"other"})"), HasSubstr("400 prompt_name"));
  EXPECT_THAT(error(R"({"input":"a","model":"gpt-4"})"), HasSubstr("404 model the model"));
  EXPECT_THAT(error(R"({"input":"a","model":7})"), HasSubstr("400 model"));
}

TEST_F(OpenaiTest, WithoutPromptsInputTypesAreAlike) {
  Harness plain(embedder_card());
  EXPECT_EQ(plain.post(kPath, R"({"input":"a","input_type":"query"})").body,
            plain.post(kPath, R"({"input":"a"})").body);
}

TEST_F(OpenaiTest, TasksOfJinaArePrompts) {
  const std::string query = embedding(R"({"input":"q a"})");
  EXPECT_EQ(embedding(R"({"input":"a","task":"retrieval.query"})"), query);
  EXPECT_EQ(embedding(R"({"input":"a","task":"query"})"), query);
  EXPECT_EQ(embedding(R"({"input":"a","task":"retrieval.passage"})"), embedding(R"({"input":"d a"})"));
  EXPECT_EQ(embedding(R"({"input":"a","task":"retrieval.passage","prompt_name":"query"})"), query);
  EXPECT_THAT(error(R"({"input":"a","task":"text-matching"})"), HasSubstr("400 task"));
  EXPECT_THAT(error(R"({"input":"a","task":"text-matching"})"), HasSubstr("document, query"));
  EXPECT_THAT(error(R"({"input":"a","input_type":"image"})"), HasSubstr("400 input_type"));
  Harness plain(embedder_card());
  EXPECT_EQ(plain.post(kPath, R"({"input":"a","task":"text-matching"})").status, 200);
  EXPECT_THAT(plain.post(kPath, R"({"input":"a","task":"cooking"})").body, HasSubstr("text-matching, classification"));
}

TEST_F(OpenaiTest, EmbeddingTypesOfJina) {
  // "a b" is {58, 4, 1, 2} before it is normalised
  EXPECT_EQ(embedding(R"({"input":"a b","embedding_type":"ubinary"})"), "[240]");
  EXPECT_EQ(embedding(R"({"input":"a b","embedding_type":["binary"]})"), "[112]");
  EXPECT_EQ(embedding(R"({"input":"a b","embedding_type":"int8"})"), "[127,9,2,4]");
  const std::string all = embedding(R"({"input":"a b","embedding_type":["float","int8","ubinary"]})");
  EXPECT_EQ(all, R"({"float":)" + embedding(R"({"input":"a b"})") + R"(,"int8":[127,9,2,4],"ubinary":[240]})");
  EXPECT_EQ(embedding(R"({"input":"a b","embedding_type":"int8","normalize":false})"), "[127,9,2,4]");
  EXPECT_EQ(embedding(R"({"input":"a b","encoding_format":"base64","embedding_type":"float"})"),
            embedding(R"({"input":"a b"})"));
  EXPECT_EQ(embedding(R"({"input":"a","normalized":false})"), embedding(R"({"input":"a","normalize":false})"));
}

TEST_F(OpenaiTest, LateChunkingIsOneDocument) {
  const http::Response response =
      harness_.post(kPath, R"({"input":["a b","c"],"late_chunking":true,"normalize":false})");
  ASSERT_EQ(response.status, 200) << response.body;
  const Parsed json(response);
  ASSERT_EQ(json["data"].get_array().size(), 2u);
  EXPECT_EQ(simdjson::minify(json["data"].at(0)["embedding"].value()), "[55,2,27,28]");
  EXPECT_EQ(simdjson::minify(json["data"].at(1)["embedding"].value()), "[29,1,29,29]");
  EXPECT_EQ(int64_t(json["data"].at(1)["index"]), 1);
  EXPECT_EQ(int64_t(json["usage"]["total_tokens"]), 5);
  EXPECT_EQ(harness_.client->chunks().back().lengths.size(), 1u);
  EXPECT_THAT(error(R"({"input":["a",""],"late_chunking":true})"), HasSubstr("400 input[1] input[1] is empty"));
  EXPECT_THAT(error(R"({"input":["a",[1,27,2]],"late_chunking":true})"), HasSubstr("400 input[1]"));
}

TEST_F(OpenaiTest, InputsMayBeObjectsWithText) {
  EXPECT_EQ(embedding(R"({"input":[{"text":"a"}]})"), embedding(R"({"input":"a"})"));
  EXPECT_EQ(embedding(R"({"input":{"type":"text","text":"a"}})"), embedding(R"({"input":"a"})"));
  EXPECT_THAT(error(R"({"input":["a",{"text":5}]})"), HasSubstr("400 input[1].text"));
  EXPECT_THAT(error(R"({"input":["a",{"text":"a","image":"b"}]})"), HasSubstr("400 input[1] input[1] is an object"));
}

TEST_F(OpenaiTest, UnnormalizedOnRequest) {
  EXPECT_THAT(embedding(R"({"input":"a","normalize":false})"), HasSubstr("30,3,1,2"));
}

TEST_F(OpenaiTest, UnicodeNeverCrashes) {
  EXPECT_EQ(
      harness_.post(kPath, "{\"input\":\"\xE5\x8C\x97\xE4\xBA\xAC \xF0\x9F\x98\x80 \\u0000 \\ufeff \\ud83d\\ude00\"}")
          .status,
      200);
  EXPECT_THAT(error(R"({"input":"\ud800"})"),
              HasSubstr("400 - the body is not valid JSON: a string has a broken escape"));
  EXPECT_THAT(error("{\"input\":\"\xFF\"}"), HasSubstr("not valid UTF-8"));
  EXPECT_THAT(error("\xEF\xBB\xBF{\"input\":\"a\"}"), HasSubstr("byte order mark"));
  EXPECT_THAT(error(R"({"input":"a"} x)"), HasSubstr("400"));
  EXPECT_THAT(error(R"({"input":"a","input":"b"})"), HasSubstr("stands twice"));
  EXPECT_THAT(error("[1]"), HasSubstr("the body must be an object"));
  EXPECT_THAT(error(""), HasSubstr("empty"));
}

TEST_F(OpenaiTest, ListsOfManyLengths) {
  for (const size_t count : {33, 100, 270, 2048, 2049}) {
    std::string list;
    for (size_t i = 0; i < count; ++i) list += (i > 0 ? ",\"a\"" : "\"a\"");
    EXPECT_EQ(harness_.post(kPath, "{\"input\":[" + list + "]}").status, count <= 2048 ? 200 : 400) << count;
  }
}

TEST_F(OpenaiTest, LoadAndFaultsHaveTheirOwnStatus) {
  harness_.client->fail_with(tulip::overloaded_error("the queue is full", std::chrono::milliseconds(1500)));
  const http::Response busy = harness_.post(kPath, R"({"input":"a"})");
  EXPECT_EQ(busy.status, 429);
  EXPECT_EQ(header_of(busy, "retry-after"), "2");
  EXPECT_THAT(busy.body, HasSubstr("rate_limit_error"));
  harness_.client->fail_with(absl::InternalError("fault"));
  EXPECT_EQ(harness_.post(kPath, R"({"input":"a"})").status, 500);
  harness_.client->fail_with(absl::OkStatus());
  harness_.client->fail_sequence(absl::InternalError("not finite"));
  EXPECT_THAT(error(R"({"input":["a"]})"), HasSubstr("500 - input[0]: not finite"));
  harness_.client->set_ready(false);
  EXPECT_EQ(harness_.post(kPath, R"({"input":"a"})").status, 503);
}

TEST_F(OpenaiTest, DeploymentsOfAzureAreModels) {
  const auto deployment = [&](const std::string& name, const std::string& body) {
    return harness_.post("/openai/deployments/" + name + "/embeddings", body);
  };
  const http::Response response = deployment("fake/model", R"({"input":"a","model":"text-embedding-3-small"})");
  EXPECT_EQ(response.body, harness_.post(kPath, R"({"input":"a","model":"fake/model"})").body);
  EXPECT_EQ(deployment("model:query", R"({"input":"a"})").status, 200);
  EXPECT_EQ(deployment("gpt", R"({"input":"a"})").status, 404);
  EXPECT_EQ(harness_.post("/openai/deployments/embeddings", R"({"input":"a"})").status, 404);
  EXPECT_EQ(harness_.send("GET", "/openai/deployments/model/embeddings").status, 405);
}

TEST_F(OpenaiTest, ListsAndDescribesModels) {
  const Parsed list(harness_.send("GET", "/v1/models"));
  EXPECT_EQ(list["data"].get_array().size(), 3u);
  EXPECT_EQ(std::string_view(list["data"].at(2)["id"]), "fake/model:query");
  const Parsed one(harness_.send("GET", "/v1/models/fake/model"));
  EXPECT_EQ(std::string_view(one["id"]), "fake/model");
  EXPECT_EQ(int64_t(one["dimensions"]), 4);
  EXPECT_EQ(int64_t(one["max_model_len"]), 16);
  EXPECT_EQ(std::string_view(one["pooling"]), "mean");
  EXPECT_EQ(std::string_view(one["state"]), "ready");
  EXPECT_EQ(harness_.send("GET", "/v1/models/other").status, 404);
}

TEST_F(OpenaiTest, ListsEveryModelWithItsAliases) {
  harness_.catalog.set(
      Catalog::create({{"here", {"text-embedding-3-small"}, harness_.gateway}, {"late", {}, nullptr}}).value());
  const Parsed list(harness_.send("GET", "/v1/models"));
  ASSERT_EQ(list["data"].get_array().size(), 4u);
  EXPECT_EQ(std::string_view(list["data"].at(0)["id"]), "here");
  EXPECT_EQ(std::string_view(list["data"].at(0)["aliases"].at(0)), "text-embedding-3-small");
  EXPECT_EQ(std::string_view(list["data"].at(3)["id"]), "late");
  EXPECT_EQ(std::string_view(list["data"].at(3)["state"]), "not ready");
  const Parsed one(harness_.send("GET", "/v1/models/text-embedding-3-small"));
  EXPECT_EQ(int64_t(one["dimensions"]), 4);
  const http::Response unknown = harness_.send("GET", "/v1/models/fake/model");
  EXPECT_EQ(unknown.status, 404);
  EXPECT_THAT(unknown.body, HasSubstr("model_not_found"));
}

TEST(Openai, ARerankerGivesNoEmbeddings) {
  Harness harness(testing_fakes::reranker_card());
  const http::Response response = harness.post(kPath, R"({"input":"a"})");
  EXPECT_EQ(response.status, 400);
  EXPECT_THAT(response.body, HasSubstr("gives no embeddings"));
}

}  // namespace
}  // namespace bouquet::ivy
