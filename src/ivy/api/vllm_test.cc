// vLLM's routes, replies and errors.
#include "ivy/api/vllm.h"

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
using testing_fakes::reranker_card;

// "status param message"
std::string error(Harness& harness, const std::string& path, const std::string& body) {
  const http::Response response = harness.post(path, body);
  const Parsed json(response);
  const auto inner = json["error"];
  std::string_view param = "-", message = "-";
  if (inner["param"].get(param) != simdjson::SUCCESS) param = "-";
  if (inner["message"].get(message) != simdjson::SUCCESS) message = "-";
  EXPECT_EQ(inner["code"].get_int64().value(), response.status);
  return std::to_string(response.status) + " " + std::string(param) + " " + std::string(message);
}

std::vector<double> scores(Harness& harness, const std::string& body) {
  const http::Response response = harness.post("/score", body);
  EXPECT_EQ(response.status, 200) << response.body;
  const Parsed json(response);
  std::vector<double> all;
  for (const auto item : json["data"].get_array()) all.push_back(item["score"].get_double().value());
  return all;
}

TEST(Vllm, ScoresOneAgainstMany) {
  Harness harness(reranker_card());
  const Parsed json(harness.post("/v1/score", R"({"model":"model","text_1":"q","text_2":["a","b"]})"));
  EXPECT_EQ(std::string_view(json["id"]), "score-id-1");
  EXPECT_EQ(std::string_view(json["object"]), "list");
  EXPECT_EQ(std::string_view(json["model"]), "model");
  EXPECT_EQ(std::string_view(json["data"].at(1)["object"]), "score");
  EXPECT_EQ(int64_t(json["data"].at(1)["index"]), 1);
  EXPECT_EQ(int64_t(json["usage"]["total_tokens"]), 10);
  // [1 43 2 27 2]: 75 mod 7 - 3
  const std::vector<double> raw = scores(harness, R"({"text_1":"q","text_2":["a","b"],"use_activation":false})");
  EXPECT_THAT(raw, testing::ElementsAre(2, 3));
  EXPECT_NEAR(scores(harness, R"({"text_1":"q","text_2":"a"})")[0], 1 / (1 + std::exp(-2.0)), 1e-12);
  EXPECT_THAT(scores(harness, R"({"queries":["q"],"documents":["a","b"],"activation":false})"),
              testing::ElementsAreArray(raw));
}

TEST(Vllm, ScoresEachAgainstItsOwn) {
  Harness harness(reranker_card());
  const std::vector<double> both = scores(harness, R"({"text_1":["q","r"],"text_2":["a","b"]})");
  EXPECT_EQ(both[0], scores(harness, R"({"text_1":"q","text_2":"a"})")[0]);
  EXPECT_EQ(both[1], scores(harness, R"({"text_1":"r","text_2":"b"})")[0]);
}

TEST(Vllm, EmbeddersScoreByCosine) {
  Harness harness(embedder_card());
  EXPECT_NEAR(scores(harness, R"({"text_1":"a b","text_2":["zzz","a b"]})")[1], 1, 1e-6);
  const std::vector<double> each = scores(harness, R"({"text_1":["a b","c d"],"text_2":["a b","a b"]})");
  EXPECT_NEAR(each[0], 1, 1e-6);
  EXPECT_LT(each[1], 1);
}

TEST(Vllm, ScoreErrorsNameTheSide) {
  Harness harness(reranker_card());
  EXPECT_THAT(error(harness, "/score", R"({"text_1":["a","b"],"text_2":["a","b","c"]})"),
              HasSubstr("400 text_1 text_1 has 2 entries and text_2 3"));
  EXPECT_THAT(error(harness, "/score", R"({"text_1":["a",""],"text_2":["a","b"]})"), HasSubstr("400 text_1[1]"));
  EXPECT_THAT(error(harness, "/score", R"({"queries":"a","documents":["a",""]})"), HasSubstr("400 documents[1]"));
  EXPECT_THAT(error(harness, "/score", R"({"queries":"a"})"), HasSubstr("400 documents the field"));
  EXPECT_THAT(error(harness, "/score", R"({"text_1":"","text_2":"a"})"), HasSubstr("400 text_1 text_1 is empty"));
  EXPECT_THAT(error(harness, "/score", R"({"text_1":"a","text_2":{}})"), HasSubstr("400 text_2"));
  EXPECT_THAT(error(harness, "/score", R"({"text_1":"a","text_2":"b","truncate_prompt_tokens":5})"),
              HasSubstr("400 truncate_prompt_tokens"));
  Harness classifier(reranker_card(3));
  EXPECT_THAT(error(classifier, "/score", R"({"text_1":"a","text_2":"b"})"), HasSubstr("is not a reranker"));
}

TEST(Vllm, Classifies) {
  GatewayOptions options;
  options.labels = {"low", "mid", "high"};
  Harness harness(reranker_card(3), options);
  const Parsed json(harness.post("/classify", R"({"input":["a","a b"]})"));
  const auto first = json["data"].at(0);
  EXPECT_EQ(std::string_view(first["label"]), "high");
  EXPECT_EQ(int64_t(first["num_classes"]), 3);
  double sum = 0;
  for (const double p : first["probs"].get_array()) sum += p;
  EXPECT_NEAR(sum, 1, 1e-9);
  EXPECT_EQ(json["data"].get_array().size(), 2u);
  const Parsed raw(harness.post("/classify", R"({"input":"a","use_activation":false})"));
  EXPECT_EQ(simdjson::minify(raw["data"].at(0)["probs"].value()), "[-1,0,1]");
  Harness embedder(embedder_card());
  EXPECT_THAT(error(embedder, "/classify", R"({"input":"a"})"), HasSubstr("is not a classifier"));
}

TEST(Vllm, PoolsWhatTheModelGives) {
  tulip::ModelCard card = embedder_card();
  card.outputs = {tulip::Output::kEmbedding, tulip::Output::kTokens};
  Harness harness(card);
  const Parsed json(harness.post("/pooling", R"({"input":"a","normalize":false})"));
  EXPECT_EQ(std::string_view(json["data"].at(0)["object"]), "pooling");
  EXPECT_EQ(simdjson::minify(json["data"].at(0)["data"].value()), "[30,3,1,2]");
  const auto data = [](const http::Response& response, size_t index) {
    EXPECT_EQ(response.status, 200) << response.body;
    return simdjson::minify(Parsed(response)["data"].at(index)["data"].value());
  };
  EXPECT_EQ(data(harness.post("/pooling", R"({"input":["a","b"],"task":"token_embed"})"), 1),
            "[[1,1,1,1],[28,1,28,28],[2,1,2,2]]");
  EXPECT_EQ(
      data(harness.post("/pooling", R"({"input":"a","task":"token_embed","encoding_format":"base64"})"), 0).size(),
      2u + 64u);
  EXPECT_THAT(error(harness, "/pooling", R"({"input":"a","task":"classify"})"), HasSubstr("is not a classifier"));
  EXPECT_THAT(error(harness, "/pooling", R"({"input":"a","task":"dance"})"), HasSubstr("400 task"));
  EXPECT_THAT(error(harness, "/pooling", R"({"input":"a","encoding_format":"bytes"})"), HasSubstr("encoding_format"));
  EXPECT_THAT(error(harness, "/pooling", R"({"input":["a",""]})"), HasSubstr("400 input[1]"));
  EXPECT_THAT(error(harness, "/pooling", R"({"messages":[]})"), HasSubstr("takes text"));
  Harness reranker(reranker_card());
  EXPECT_EQ(data(reranker.post("/pooling", R"({"input":"a","use_activation":false})"), 0), "[-1]");
}

TEST(Vllm, TokenizesAndBack) {
  Harness harness(embedder_card());
  EXPECT_EQ(harness.post("/tokenize", R"({"prompt":"a b"})").body,
            R"({"count":4,"max_model_len":16,"tokens":[1,27,28,2],"token_strs":null})");
  EXPECT_EQ(harness.post("/tokenize", R"({"prompt":"a","add_special_tokens":false,"return_token_strs":true})").body,
            R"({"count":1,"max_model_len":16,"tokens":[27],"token_strs":["word"]})");
  EXPECT_EQ(harness.post("/detokenize", R"({"tokens":[1,27,2]})").body, R"({"prompt":"t1 t27 t2"})");
  EXPECT_THAT(error(harness, "/detokenize", R"({"tokens":[1,500]})"), HasSubstr("400 tokens tokens[1] is 500"));
  EXPECT_THAT(error(harness, "/detokenize", R"({"tokens":"a"})"), HasSubstr("400 tokens"));
  EXPECT_THAT(error(harness, "/tokenize", R"({"prompt":7})"), HasSubstr("400 prompt"));
}

}  // namespace
}  // namespace bouquet::ivy
