// TEI's routes, replies and errors.
#include "ivy/api/tei.h"

#include <cmath>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ivy/failure.h"
#include "ivy/testing/harness.h"

namespace bouquet::ivy {
namespace {

using testing::HasSubstr;
using testing_fakes::embedder_card;
using testing_fakes::Harness;
using testing_fakes::header_of;
using testing_fakes::Parsed;
using testing_fakes::reranker_card;

// "status error_type message"
std::string error(Harness& harness, const std::string& path, const std::string& body) {
  const http::Response response = harness.post(path, body);
  const Parsed json(response);
  std::string_view type = "-", message = "-";
  if (json["error_type"].get(type) != simdjson::SUCCESS) type = "-";
  if (json["error"].get(message) != simdjson::SUCCESS) message = "-";
  return std::to_string(response.status) + " " + std::string(type) + " " + std::string(message);
}

TEST(Tei, EmbedsToBareArraysWithTimes) {
  Harness harness(embedder_card());
  const http::Response response = harness.post("/embed", R"({"inputs":["a b","c"],"truncate":null})");
  ASSERT_EQ(response.status, 200);
  const Parsed json(response);
  EXPECT_EQ(json.root.get_array().size(), 2u);
  EXPECT_EQ(json.root.at(0).get_array().size(), 4u);
  EXPECT_EQ(header_of(response, "x-compute-tokens"), "7");
  EXPECT_EQ(header_of(response, "x-compute-characters"), "4");
  EXPECT_EQ(header_of(response, "x-queue-time"), "1");
  EXPECT_EQ(header_of(response, "x-inference-time"), "2");
  EXPECT_NE(header_of(response, "x-total-time"), "none");
  EXPECT_NE(header_of(response, "x-tokenization-time"), "none");
  EXPECT_EQ(harness.post("/embed", R"({"inputs":"a"})").body, harness.post("/embed", R"({"inputs":[1,27,2]})").body);
  EXPECT_EQ(harness.post("/embed", R"({"inputs":"a","normalize":false,"dimensions":2})").body, "[[30,3]]");
}

TEST(Tei, EqualsTheOpenaiDialect) {
  Harness harness(embedder_card());
  const std::string bare = harness.post("/embed", R"({"inputs":"a b"})").body;
  EXPECT_THAT(harness.post("/v1/embeddings", R"({"input":"a b"})").body, HasSubstr(bare.substr(1, bare.size() - 2)));
}

TEST(Tei, ErrorsAreFlatWithItsOwnCodes) {
  Harness harness(embedder_card());
  EXPECT_THAT(error(harness, "/embed", R"({"inputs":""})"), HasSubstr("400 Empty inputs is empty"));
  EXPECT_THAT(error(harness, "/embed", R"({"inputs":[]})"), HasSubstr("400 Empty"));
  EXPECT_THAT(error(harness, "/embed", R"({"inputs":["a",""]})"), HasSubstr("400 Empty inputs[1] is empty"));
  EXPECT_THAT(error(harness, "/embed", R"({"inputs":7})"), HasSubstr("422 Validation"));
  EXPECT_THAT(error(harness, "/embed", R"({})"), HasSubstr("422 Validation"));
  EXPECT_THAT(error(harness, "/embed", R"({"inputs":"a","truncation_direction":"Up"})"), HasSubstr("422 Validation"));
  EXPECT_THAT(error(harness, "/embed", R"({"inputs":"a","dimensions":9})"), HasSubstr("422 Validation dimensions"));
  EXPECT_THAT(error(harness, "/embed", R"({"inputs")"), HasSubstr("400 Validation"));
  EXPECT_THAT(error(harness, "/rerank", R"({"query":"a","texts":["b"]})"), HasSubstr("424 Backend"));
  EXPECT_THAT(error(harness, "/predict", R"({"inputs":"a"})"), HasSubstr("424 Backend"));
  harness.client->fail_with(absl::ResourceExhaustedError("full"));
  EXPECT_THAT(error(harness, "/embed", R"({"inputs":"a"})"), HasSubstr("429 Overloaded"));
  harness.client->fail_with(absl::InternalError("fault"));
  EXPECT_THAT(error(harness, "/embed", R"({"inputs":"a"})"), HasSubstr("500 Backend"));
  harness.client->set_ready(false);
  EXPECT_THAT(error(harness, "/embed", R"({"inputs":"a"})"), HasSubstr("503 Unhealthy"));
  EXPECT_EQ(tei_error(absl::OutOfRangeError("big")).status, 413);
}

TEST(Tei, RanksTextsOnBothScales) {
  Harness harness(reranker_card());
  const http::Response squashed =
      harness.post("/rerank", R"({"query":"q","texts":["a","b","a","z"],"return_text":true})");
  const http::Response raw = harness.post("/rerank", R"({"query":"q","texts":["a","b","a","z"],"raw_scores":true})");
  ASSERT_EQ(squashed.status, 200) << squashed.body;
  const Parsed a(squashed), b(raw);
  double last = 2;
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(int64_t(a.root.at(i)["index"]), int64_t(b.root.at(i)["index"]));
    const double score = a.root.at(i)["score"].get_double().value(), logit = b.root.at(i)["score"].get_double().value();
    EXPECT_NEAR(score, 1 / (1 + std::exp(-logit)), 1e-9);
    EXPECT_LE(score, last);
    last = score;
  }
  EXPECT_FALSE(std::string_view(a.root.at(0)["text"]).empty());
  EXPECT_THAT(error(harness, "/rerank", R"({"query":"q","texts":[]})"), HasSubstr("400 Empty texts is empty"));
  EXPECT_THAT(error(harness, "/rerank", R"({"query":"","texts":["a"]})"), HasSubstr("400 Empty query"));
  EXPECT_THAT(error(harness, "/rerank", R"({"query":"q"})"), HasSubstr("422 Validation"));
  EXPECT_THAT(error(harness, "/rerank", R"({"query":"q","texts":["a",3]})"), HasSubstr("texts[1]"));
  EXPECT_THAT(error(harness, "/embed", R"({"inputs":"a"})"), HasSubstr("424 Backend"));
}

TEST(Tei, PredictsLabelsBestFirst) {
  GatewayOptions options;
  options.labels = {"low", "mid", "high"};
  Harness harness(reranker_card(3), options);
  const http::Response one = harness.post("/predict", R"({"inputs":"a"})");
  const Parsed json(one);
  EXPECT_EQ(std::string_view(json.root.at(0)["label"]), "high");
  EXPECT_EQ(std::string_view(json.root.at(2)["label"]), "low");
  double sum = 0;
  for (size_t i = 0; i < 3; ++i) sum += json.root.at(i)["score"].get_double().value();
  EXPECT_NEAR(sum, 1, 1e-9);
  const Parsed batch(harness.post("/predict", R"({"inputs":[["a"],["a","b"]]})"));
  EXPECT_EQ(simdjson::minify(batch.root.at(0).value()), simdjson::minify(json.root));
  const Parsed pair(harness.post("/predict", R"({"inputs":["a","b"],"raw_scores":true})"));
  EXPECT_EQ(pair.root.get_array().size(), 3u);
  EXPECT_NEAR(pair.root.at(0)["score"].get_double().value() - pair.root.at(2)["score"].get_double().value(), 2.0, 1e-6);
  EXPECT_THAT(error(harness, "/predict", R"({"inputs":[["a","b","c"]]})"), HasSubstr("422 Validation inputs[0]"));
  EXPECT_THAT(error(harness, "/predict", R"({"inputs":[["a"],["a",""]]})"), HasSubstr("400 Empty inputs[1]"));
  EXPECT_THAT(error(harness, "/predict", R"({"inputs":[]})"), HasSubstr("400 Empty"));
  Harness single(reranker_card(1));
  EXPECT_EQ(std::string_view(Parsed(single.post("/predict", R"({"inputs":"a"})")).root.at(0)["label"]), "LABEL_0");
}

TEST(Tei, ComparesSentences) {
  Harness harness(embedder_card());
  const Parsed json(harness.post("/similarity", R"({"inputs":{"source_sentence":"a b","sentences":["a b","zzz"]}})"));
  ASSERT_EQ(json.root.get_array().size(), 2u);
  EXPECT_NEAR(json.root.at(0).get_double().value(), 1.0, 1e-6);
  EXPECT_LT(json.root.at(1).get_double().value(), 1.0);
  EXPECT_THAT(error(harness, "/similarity", R"({"inputs":{"source_sentence":"","sentences":["a"]}})"),
              HasSubstr("400 Empty"));
  EXPECT_THAT(error(harness, "/similarity", R"({"inputs":{"source_sentence":"a","sentences":["a",""]}})"),
              HasSubstr("inputs.sentences[1] is empty"));
  EXPECT_THAT(error(harness, "/similarity", R"({"inputs":{"source_sentence":"a","sentences":[]}})"),
              HasSubstr("Empty"));
  EXPECT_THAT(error(harness, "/similarity", R"({"inputs":"a"})"), HasSubstr("422 Validation"));
}

TEST(Tei, EmbedsEachToken) {
  tulip::ModelCard card = embedder_card();
  card.outputs = {tulip::Output::kEmbedding, tulip::Output::kTokens};
  Harness harness(card);
  EXPECT_EQ(harness.post("/embed_all", R"({"inputs":["a","b c"]})").body,
            "[[[1,1,1,1],[27,1,27,27],[2,1,2,2]],[[1,1,1,1],[28,1,28,28],[29,1,29,29],[2,1,2,2]]]");
  EXPECT_THAT(error(harness, "/embed_all", R"({"inputs":["a",""]})"), HasSubstr("400 Empty inputs[1]"));
  Harness plain(embedder_card());
  EXPECT_THAT(error(plain, "/embed_all", R"({"inputs":"a"})"), HasSubstr("424 Backend"));
}

TEST(Tei, SparseVectorsByIndex) {
  tulip::ModelCard card = embedder_card();
  card.outputs = {tulip::Output::kLexical};
  card.dimensions = 0;
  Harness harness(card);
  // a weight is the id mod 5, less 1; special tokens have none
  EXPECT_EQ(harness.post("/embed_sparse", R"({"inputs":["a b","d"]})").body,
            R"([[{"index":27,"value":1},{"index":28,"value":2}],[]])");
  EXPECT_EQ(harness.post("/", R"({"inputs":"a"})").body, R"([[{"index":27,"value":1}]])");
  Harness plain(embedder_card());
  EXPECT_THAT(error(plain, "/embed_sparse", R"({"inputs":"a"})"), HasSubstr("424 Backend"));
}

TEST(Tei, TheRootDoesWhatTheModelIsFor) {
  Harness embedder(embedder_card()), reranker(reranker_card()), classifier(reranker_card(3));
  const std::string text = R"({"inputs":"a"})", ranks = R"({"query":"a","texts":["b","c"]})";
  EXPECT_EQ(embedder.post("/", text).body, embedder.post("/embed", text).body);
  EXPECT_EQ(reranker.post("/", ranks).body, reranker.post("/rerank", ranks).body);
  EXPECT_EQ(reranker.post("/", text).body, reranker.post("/predict", text).body);
  EXPECT_EQ(classifier.post("/", text).body, classifier.post("/predict", text).body);
  EXPECT_THAT(error(embedder, "/", ranks), HasSubstr("424 Backend"));
  EXPECT_THAT(error(embedder, "/", "{}"), HasSubstr("422 Validation"));
}

TEST(Tei, TokenizesWithByteOffsets) {
  Harness harness(embedder_card());
  const http::Response response = harness.post("/tokenize", "{\"inputs\":[\"\xC3\xA9 b\"]}");
  const Parsed json(response);
  const auto tokens = json.root.at(0);
  ASSERT_EQ(tokens.get_array().size(), 4u);
  EXPECT_EQ(std::string_view(tokens.at(0)["text"]), "[CLS]");
  EXPECT_TRUE(tokens.at(0)["special"].get_bool().value());
  EXPECT_TRUE(tokens.at(0)["start"].is_null());
  EXPECT_EQ(std::string_view(tokens.at(1)["text"]), "\xC3\xA9");
  EXPECT_EQ(int64_t(tokens.at(2)["start"]), 3);
  EXPECT_EQ(int64_t(tokens.at(2)["stop"]), 4);
  EXPECT_EQ(
      Parsed(harness.post("/tokenize", R"({"inputs":"a","add_special_tokens":false})")).root.at(0).get_array().size(),
      1u);
}

TEST(Tei, Decodes) {
  Harness harness(embedder_card());
  EXPECT_EQ(harness.post("/decode", R"({"ids":[1,50,2]})").body, R"(["t50"])");
  EXPECT_EQ(harness.post("/decode", R"({"ids":[[1,50],[51]],"skip_special_tokens":false})").body,
            R"(["t1 t50","t51"])");
  EXPECT_THAT(error(harness, "/decode", R"({"ids":[1,500]})"), HasSubstr("422 Validation ids[1] is 500"));
  EXPECT_THAT(error(harness, "/decode", R"({"ids":"a"})"), HasSubstr("422"));
}

TEST(Tei, TellsWhatItRuns) {
  Harness harness(embedder_card());
  const Parsed json(harness.send("GET", "/info"));
  EXPECT_EQ(std::string_view(json["model_id"]), "fake/model");
  EXPECT_EQ(std::string_view(json["model_type"]["embedding"]["pooling"]), "mean");
  EXPECT_EQ(int64_t(json["max_input_length"]), 16);
  EXPECT_TRUE(json["auto_truncate"].get_bool().value());
  Harness reranker(reranker_card());
  const Parsed other(reranker.send("GET", "/info"));
  EXPECT_EQ(std::string_view(other["model_type"]["reranker"]["id2label"]["0"]), "LABEL_0");
}

}  // namespace
}  // namespace bouquet::ivy
