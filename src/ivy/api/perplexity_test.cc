// Perplexity's two encodings, its limits, and chunks within their documents.
#include "ivy/api/perplexity.h"

#include <cmath>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ivy/testing/harness.h"

namespace bouquet::ivy {
namespace {

using testing::HasSubstr;
using testing_fakes::embedder_card;
using testing_fakes::Harness;
using testing_fakes::Parsed;

constexpr char kEmbed[] = "/v1/embeddings";
constexpr char kContext[] = "/v1/contextualizedembeddings";

tulip::ModelCard tanh_card(int32_t dimensions = 4) {
  tulip::ModelCard card = embedder_card();
  card.tanh_int8 = true;
  card.dimensions = dimensions;
  return card;
}

std::string embedding(Harness& harness, const std::string& body) {
  const http::Response response = harness.post(kEmbed, body);
  EXPECT_EQ(response.status, 200) << response.body;
  return simdjson::minify(Parsed(response)["data"].at(0)["embedding"].value());
}

TEST(Perplexity, Int8OfTheModelsOwnValues) {
  Harness tanh(tanh_card()), unit(embedder_card());
  const std::string body = R"({"input":"a b","encoding_format":"base64_int8"})";
  // {58, 4, 1, 2} as they are: tanh makes 127, 127, 97, 122
  EXPECT_EQ(embedding(tanh, body), "\"f39heg==\"");
  EXPECT_FALSE(tanh.client->chunks().back().spec.normalize);
  // normalised: 127, 9, 2, 4
  EXPECT_EQ(embedding(unit, body), "\"fwkCBA==\"");
  EXPECT_TRUE(unit.client->chunks().back().spec.normalize);
}

TEST(Perplexity, FloatsBesideInt8AreThoseOfFloatsAlone) {
  Harness harness(tanh_card());
  const std::string floats = embedding(harness, R"({"input":"a b"})");
  EXPECT_EQ(embedding(harness, R"({"input":"a b","embedding_type":["int8","float"]})"),
            R"({"int8":[127,127,97,122],"float":)" + floats + "}");
}

TEST(Perplexity, BitsLeastSignificantFirst) {
  Harness harness(tanh_card(8));
  // the fake gives 4 values, filled up with zeros, which are bits too
  EXPECT_EQ(embedding(harness, R"({"input":"a b","dimensions":8,"encoding_format":"base64_binary"})"), "\"/w==\"");
  Harness unit([] {
    tulip::ModelCard card = embedder_card();
    card.dimensions = 8;
    return card;
  }());
  EXPECT_EQ(embedding(unit, R"({"input":"a b","dimensions":8,"encoding_format":"base64_binary"})"), "\"Dw==\"");
}

TEST(Perplexity, LimitsHoldForItsEncodings) {
  Harness small(tanh_card(20)), large(tanh_card(256));
  const auto error = [](Harness& harness, const std::string& body) { return harness.post(kEmbed, body).body; };
  EXPECT_THAT(error(small, R"({"input":"a","encoding_format":"base64_binary"})"), HasSubstr("that 8 divides"));
  EXPECT_THAT(error(small, R"({"input":"a","encoding_format":"base64_int8","dimensions":0})"),
              HasSubstr("must be from 1 to 20"));
  EXPECT_THAT(error(large, R"({"input":"a","encoding_format":"base64_int8","dimensions":64})"),
              testing::AllOf(HasSubstr("must be from 128 to 256"), HasSubstr("\"param\":\"dimensions\"")));
  EXPECT_EQ(large.post(kEmbed, R"({"input":"a","dimensions":64})").status, 200);
  EXPECT_THAT(error(small, R"({"input":["a",""],"encoding_format":"base64_int8"})"), HasSubstr("input[1] is empty"));
  std::string list = "\"a\"";
  for (int i = 0; i < 512; ++i) list += ",\"a\"";
  EXPECT_THAT(error(small, "{\"encoding_format\":\"base64_int8\",\"input\":[" + list + "]}"),
              HasSubstr("more than the 512 inputs"));
  EXPECT_EQ(small.post(kEmbed, "{\"input\":[" + list + "]}").status, 200);
}

TEST(Perplexity, ChunksSeeTheirDocument) {
  Harness harness(tanh_card());
  const http::Response response =
      harness.post(kContext, R"({"input":[["a b","c"],["d"]],"encoding_format":"float","normalize":false})");
  ASSERT_EQ(response.status, 200) << response.body;
  const Parsed json(response);
  ASSERT_EQ(json["data"].get_array().size(), 2u);
  const auto first = json["data"].at(0);
  EXPECT_EQ(std::string_view(first["object"]), "list");
  EXPECT_EQ(int64_t(first["index"]), 0);
  ASSERT_EQ(first["data"].get_array().size(), 2u);
  EXPECT_EQ(std::string_view(first["data"].at(1)["object"]), "embedding");
  EXPECT_EQ(int64_t(first["data"].at(1)["index"]), 1);
  EXPECT_EQ(simdjson::minify(first["data"].at(1)["embedding"].value()), "[29,1,29,29]");
  EXPECT_EQ(simdjson::minify(json["data"].at(1)["data"].at(0)["embedding"].value()), "[30,1,30,30]");
  EXPECT_EQ(int64_t(json["usage"]["total_tokens"]), 5 + 3);
  EXPECT_EQ(std::string_view(json["model"]), "fake/model");
}

TEST(Perplexity, ChunksAreInt8UnlessAskedOtherwise) {
  Harness harness(tanh_card());
  const Parsed json(harness.post(kContext, R"({"input":[["a b"]]})"));
  EXPECT_EQ(std::string_view(json["data"].at(0)["data"].at(0)["embedding"]), "f3p/fw==");
  EXPECT_FALSE(harness.client->chunks().back().spec.normalize);
}

TEST(Perplexity, ContextErrorsNameDocumentAndChunk) {
  Harness harness(tanh_card());
  const auto error = [&](const std::string& input) {
    const http::Response response = harness.post(kContext, "{\"input\":" + input + "}");
    return std::to_string(response.status) + " " + response.body;
  };
  EXPECT_THAT(error("[]"), HasSubstr("400 {\"error\":{\"message\":\"input is empty\""));
  EXPECT_THAT(error("\"a\""), HasSubstr("input must be a list of lists"));
  EXPECT_THAT(error("[[\"a\"],\"b\"]"), HasSubstr("\"param\":\"input[1]\""));
  EXPECT_THAT(error("[[\"a\"],[]]"), HasSubstr("input[1] is empty"));
  EXPECT_THAT(error("[[\"a\"],[\"a\",\"\"]]"), HasSubstr("input[1][1] is empty"));
  EXPECT_THAT(error("[[\"a\"],[\"a\",7]]"), HasSubstr("\"param\":\"input[1][1]\""));
  EXPECT_THAT(error("[[\"a a a a a a a a a a a a a a a a\"]]"), HasSubstr("18 tokens in all"));
  EXPECT_THAT(harness.post(kContext, R"({"input":[["a"]],"encoding_format":"hex"})").body, HasSubstr("base64_int8"));
  Harness reranker(testing_fakes::reranker_card());
  EXPECT_THAT(reranker.post(kContext, R"({"input":[["a"]]})").body, HasSubstr("gives no embeddings"));
}

}  // namespace
}  // namespace bouquet::ivy
