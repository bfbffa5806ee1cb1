// Cohere's embed, both versions.
#include "ivy/api/cohere.h"

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

constexpr char kPath[] = "/v2/embed";

GatewayOptions with_prompts() {
  GatewayOptions options;
  options.recipe.prompts = {{"query", "q "}, {"document", "d "}};
  return options;
}

class CohereTest : public testing::Test {
 protected:
  // "status message"
  std::string error(const std::string& body) {
    const http::Response response = harness_.post(kPath, body);
    const Parsed json(response);
    return std::to_string(response.status) + " " + std::string(std::string_view(json["message"]));
  }
  std::string vectors(const std::string& body, std::string_view type = "float") {
    const http::Response response = harness_.post(kPath, body);
    EXPECT_EQ(response.status, 200) << response.body;
    return simdjson::minify(Parsed(response)["embeddings"][type].value());
  }

  Harness harness_{embedder_card(), with_prompts()};
};

TEST_F(CohereTest, AnswersInTheShapeOfVersion2) {
  const http::Response response = harness_.post(kPath, R"({"model":"model","texts":["a b","c"]})");
  ASSERT_EQ(response.status, 200) << response.body;
  const Parsed json(response);
  EXPECT_EQ(std::string_view(json["id"]), "id-1");
  EXPECT_EQ(json["embeddings"]["float"].get_array().size(), 2u);
  EXPECT_EQ(std::string_view(json["texts"].at(1)), "c");
  EXPECT_EQ(std::string_view(json["meta"]["api_version"]["version"]), "2");
  EXPECT_EQ(int64_t(json["meta"]["billed_units"]["input_tokens"]), 7);
  EXPECT_EQ(std::string_view(json["response_type"]), "embeddings_by_type");
}

TEST_F(CohereTest, EveryEncodingAtOnce) {
  const std::string body =
      R"({"texts":["a b"],"embedding_types":["float","int8","uint8","binary","ubinary","base64"]})";
  EXPECT_EQ(vectors(body, "int8"), "[[127,9,2,4]]");
  EXPECT_EQ(vectors(body, "uint8"), "[[255,137,130,132]]");
  EXPECT_EQ(vectors(body, "binary"), "[[112]]");
  EXPECT_EQ(vectors(body, "ubinary"), "[[240]]");
  EXPECT_EQ(vectors(body, "base64").size(), 4u + 24u);
  EXPECT_EQ(vectors(body), vectors(R"({"texts":["a b"]})"));
  EXPECT_EQ(harness_.client->chunks().front().lengths.size(), 1u);
}

TEST_F(CohereTest, InputTypesArePrompts) {
  const std::string query = vectors(R"({"texts":["q a"]})");
  EXPECT_EQ(vectors(R"({"texts":["a"],"input_type":"search_query"})"), query);
  EXPECT_EQ(vectors(R"({"texts":["a"],"input_type":"search_document"})"), vectors(R"({"texts":["d a"]})"));
  EXPECT_EQ(vectors(R"({"texts":["a"],"model":"model:query","input_type":"search_document"})"), query);
  EXPECT_THAT(error(R"({"texts":["a"],"input_type":"clustering"})"),
              HasSubstr("400 there is no prompt \"clustering\"; this model has: document, query"));
}

TEST_F(CohereTest, InputsHoldOneTextEach) {
  EXPECT_EQ(vectors(R"({"inputs":[{"content":[{"type":"text","text":"a"}]}]})"), vectors(R"({"texts":["a"]})"));
  EXPECT_THAT(error(R"({"inputs":[{"content":[{"type":"image_url","image_url":{"url":"data:"}}]}]})"),
              HasSubstr("400 inputs[0].content[0] has no text"));
  EXPECT_THAT(error(R"({"inputs":[{"content":[]}]})"), HasSubstr("inputs[0].content must hold exactly one text"));
  EXPECT_THAT(error(R"({"inputs":[{"content":"a"}]})"), HasSubstr("inputs[0].content must be a list"));
  EXPECT_THAT(error(R"({"inputs":["a"]})"), HasSubstr("inputs[0] must be an object"));
  EXPECT_THAT(error(R"({"inputs":[{"content":[{"text":"a"}]},{"content":[{"text":""}]}]})"),
              HasSubstr("inputs[1] is empty"));
  EXPECT_THAT(error(R"({"inputs":[{"content":[{"text":"a"}]}],"texts":["a"]})"), HasSubstr("can't both"));
}

TEST_F(CohereTest, CutsWhereItIsTold) {
  const std::string text = R"({"texts":["a b c d e f g h i j k l m n o p q r s t"],"truncate":)";
  EXPECT_EQ(header_of(harness_.post(kPath, text + "\"END\"}"), "x-bouquet-truncated"), "1");
  EXPECT_NE(vectors(text + "\"END\"}"), vectors(text + "\"START\"}"));
  EXPECT_THAT(error(text + "\"NONE\"}"), HasSubstr("400 texts[0] has 22 tokens"));
  EXPECT_THAT(error(text + "\"LEFT\"}"), HasSubstr("400 truncate must be"));
}

TEST_F(CohereTest, ErrorsNameTheField) {
  EXPECT_THAT(error("{}"), HasSubstr("400 the field \"texts\" is missing"));
  EXPECT_THAT(error(R"({"texts":[]})"), HasSubstr("texts is empty"));
  EXPECT_THAT(error(R"({"texts":["a",""]})"), HasSubstr("texts[1] is empty"));
  EXPECT_THAT(error(R"({"texts":["a",7]})"), HasSubstr("texts[1] must be a string"));
  EXPECT_THAT(error(R"({"images":["data:"]})"), HasSubstr("images can't be embedded"));
  EXPECT_THAT(error(R"({"texts":["a"],"output_dimension":9})"), HasSubstr("output_dimension is 9"));
  EXPECT_THAT(error(R"({"texts":["a"],"max_tokens":9})"), HasSubstr("max_tokens"));
  EXPECT_THAT(error(R"({"texts":["a"],"embedding_types":["float","int4"]})"), HasSubstr("embedding_types[1]"));
  EXPECT_THAT(error(R"({"texts":["a"],"model":"other"})"), HasSubstr("404"));
  EXPECT_EQ(vectors(R"({"texts":["a"],"output_dimension":2})").find(',') != std::string::npos, true);
}

TEST_F(CohereTest, Version1AnswersWithBareFloats) {
  const Parsed json(harness_.post("/v1/embed", R"({"texts":["a"]})"));
  EXPECT_EQ(std::string_view(json["response_type"]), "embeddings_floats");
  EXPECT_EQ(json["embeddings"].at(0).get_array().size(), 4u);
  EXPECT_EQ(std::string_view(json["meta"]["api_version"]["version"]), "1");
  const Parsed typed(harness_.post("/v1/embed", R"({"texts":["a"],"embedding_types":["int8"]})"));
  EXPECT_EQ(std::string_view(typed["response_type"]), "embeddings_by_type");
  EXPECT_EQ(typed["embeddings"]["int8"].at(0).get_array().size(), 4u);
}

}  // namespace
}  // namespace bouquet::ivy
