// Ollama's routes, replies and errors.
#include "ivy/api/ollama.h"

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

class OllamaTest : public testing::Test {
 protected:
  // "status message"
  std::string error(const std::string& path, const std::string& body) {
    const http::Response response = harness_.post(path, body);
    return std::to_string(response.status) + " " + std::string(std::string_view(Parsed(response)["error"]));
  }

  Harness harness_{embedder_card()};
};

TEST_F(OllamaTest, EmbedsOneAndMany) {
  const http::Response response = harness_.post(
      "/api/embed", R"({"model":"model:latest","input":["a b","c"],"options":{"num_ctx":8},"keep_alive":"5m"})");
  ASSERT_EQ(response.status, 200) << response.body;
  const Parsed json(response);
  EXPECT_EQ(std::string_view(json["model"]), "model:latest");
  EXPECT_EQ(json["embeddings"].get_array().size(), 2u);
  EXPECT_EQ(json["embeddings"].at(0).get_array().size(), 4u);
  EXPECT_EQ(int64_t(json["prompt_eval_count"]), 7);
  EXPECT_GE(int64_t(json["total_duration"]), 0);
  EXPECT_EQ(int64_t(json["load_duration"]), 0);
  const Parsed one(harness_.post("/api/embed", R"({"model":"model","input":"a b"})"));
  EXPECT_EQ(simdjson::minify(one["embeddings"].at(0).value()), simdjson::minify(json["embeddings"].at(0).value()));
}

TEST_F(OllamaTest, TheOlderRouteGivesTheSameVector) {
  const Parsed older(harness_.post("/api/embeddings", R"({"model":"model","prompt":"a b"})"));
  const Parsed newer(harness_.post("/api/embed", R"({"model":"model","input":"a b"})"));
  EXPECT_EQ(simdjson::minify(older["embedding"].value()), simdjson::minify(newer["embeddings"].at(0).value()));
}

TEST_F(OllamaTest, CutsAndDimensions) {
  const std::string text = R"("input":"a b c d e f g h i j k l m n o p q r s t"})";
  EXPECT_EQ(header_of(harness_.post("/api/embed", "{" + text), "x-bouquet-truncated"), "1");
  EXPECT_THAT(error("/api/embed", R"({"truncate":false,)" + text), HasSubstr("400 input has 22 tokens"));
  const Parsed json(harness_.post("/api/embed", R"({"input":"a","dimensions":2})"));
  EXPECT_EQ(json["embeddings"].at(0).get_array().size(), 2u);
  EXPECT_THAT(error("/api/embed", R"({"input":"a","dimensions":5})"), HasSubstr("400 dimensions is 5"));
}

TEST_F(OllamaTest, ErrorsAreOneText) {
  EXPECT_THAT(error("/api/embed", R"({"input":["a",""]})"), HasSubstr("400 input[1] is empty"));
  EXPECT_THAT(error("/api/embed", R"({"input":["a",7]})"), HasSubstr("400 input[1] must be a string"));
  EXPECT_THAT(error("/api/embed", R"({"input":[]})"), HasSubstr("400 input is empty"));
  EXPECT_THAT(error("/api/embed", "{}"), HasSubstr("400 the field \"input\" is missing"));
  EXPECT_THAT(error("/api/embed", R"({"model":"llama3","input":"a"})"), HasSubstr("404 the model \"llama3\""));
  EXPECT_THAT(error("/api/embeddings", R"({"prompt":""})"), HasSubstr("400 prompt is empty"));
  EXPECT_THAT(error("/api/embeddings", R"({"prompt":["a"]})"), HasSubstr("400 prompt must be a string"));
  EXPECT_THAT(error("/api/show", R"({"model":"llama3"})"), HasSubstr("404"));
}

TEST_F(OllamaTest, TellsWhatThereIs) {
  const Parsed tags(harness_.send("GET", "/api/tags"));
  EXPECT_EQ(std::string_view(tags["models"].at(0)["name"]), "fake/model");
  EXPECT_EQ(std::string_view(tags["models"].at(0)["details"]["quantization_level"]), "f32");
  for (const char* body : {R"({"model":"model:latest"})", R"({"name":"fake/model"})", "{}"}) {
    const Parsed show(harness_.post("/api/show", body));
    EXPECT_EQ(int64_t(show["model_info"]["bouquet.embedding_length"]), 4) << body;
    EXPECT_EQ(int64_t(show["model_info"]["bouquet.context_length"]), 16) << body;
    EXPECT_EQ(std::string_view(show["capabilities"].at(0)), "embedding") << body;
  }
  EXPECT_FALSE(std::string_view(Parsed(harness_.send("GET", "/api/version"))["version"]).empty());
}

}  // namespace
}  // namespace bouquet::ivy
