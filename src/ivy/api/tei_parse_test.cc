// TEI's bodies as Jobs.
#include "gtest/gtest.h"
#include "ivy/api/tei.h"
#include "ivy/failure.h"
#include "ivy/testing/harness.h"

namespace bouquet::ivy {
namespace {

class TeiParseTest : public testing::Test {
 protected:
  template <class Parse>
  auto parse(Parse function, std::string_view json) {
    const auto document = Document::parse(json);
    return function(*document, ApiContext{options_, {}, *harness_.catalog.get(), harness_.gateway.get(), "", {}});
  }
  testing_fakes::Harness harness_{testing_fakes::embedder_card()};
  ApiOptions options_{4, false};
};

TEST_F(TeiParseTest, EmbedTakesAllOptions) {
  const auto job = parse(parse_tei_embed, R"({"inputs":"a","truncate":false,"truncation_direction":"Left",
      "prompt_name":"query","normalize":false,"dimensions":3,"priority":"bulk"})");
  ASSERT_TRUE(job.ok()) << job.status();
  EXPECT_TRUE(job->single);
  EXPECT_EQ(job->options.truncate, false);
  EXPECT_EQ(job->options.truncation_side, tokenizer::TruncationSide::kLeft);
  EXPECT_EQ(job->options.prompt_name, "query");
  EXPECT_FALSE(job->options.normalize);
  EXPECT_EQ(job->options.dimensions, 3);
  EXPECT_EQ(job->options.lane, tulip::Lane::kBulk);
}

TEST_F(TeiParseTest, APromptNameGoesBeforeTheOneInTheModelsName) {
  const auto prompt = [&](auto function, std::string_view json) {
    const auto document = Document::parse(json);
    return *function(*document, ApiContext{options_, {}, *harness_.catalog.get(), harness_.gateway.get(), "", "query"})
                ->options.prompt_name;
  };
  EXPECT_EQ(prompt(parse_tei_embed, R"({"inputs":"a"})"), "query");
  EXPECT_EQ(prompt(parse_tei_embed, R"({"inputs":"a","prompt_name":"document"})"), "document");
  EXPECT_EQ(prompt(parse_tei_tokenize, R"({"inputs":"a"})"), "query");
  EXPECT_EQ(prompt(parse_tei_similarity, R"({"inputs":{"source_sentence":"a","sentences":["b"]}})"), "query");
}

TEST_F(TeiParseTest, PredictTellsPairsFromBatches) {
  EXPECT_TRUE(std::holds_alternative<TextPair>(parse(parse_tei_predict, R"({"inputs":["a","b"]})")->job.inputs[0]));
  EXPECT_TRUE(std::holds_alternative<std::string>(parse(parse_tei_predict, R"({"inputs":["a"]})")->job.inputs[0]));
  EXPECT_EQ(parse(parse_tei_predict, R"({"inputs":[["a"],["b","c"],"d"]})")->job.inputs.size(), 3u);
  EXPECT_FALSE(parse(parse_tei_predict, R"({"inputs":[["a"],["a"],["a"],["a"],["a"]]})").ok());
  EXPECT_EQ(field_of(parse(parse_tei_predict, R"({"inputs":[["a",1]]})").status()), "inputs[0][1]");
}

TEST_F(TeiParseTest, SimilarityPutsTheSourceLast) {
  const auto job = parse(parse_tei_similarity, R"({"inputs":{"source_sentence":"s","sentences":["a","b"]},
      "parameters":{"truncate":true,"prompt_name":"query"}})");
  ASSERT_TRUE(job.ok());
  EXPECT_EQ(std::get<std::string>(job->inputs[2]), "s");
  EXPECT_EQ(job->options.prompt_name, "query");
  EXPECT_EQ(field_of(parse(parse_tei_similarity, R"({"inputs":{"source_sentence":"s","sentences":["a"]},
      "parameters":{"truncation_direction":"x"}})")
                         .status()),
            "parameters.truncation_direction");
}

TEST_F(TeiParseTest, LimitsTheNumberOfInputs) {
  EXPECT_TRUE(parse(parse_tei_rerank, R"({"query":"q","texts":["a","a","a","a"]})").ok());
  EXPECT_FALSE(parse(parse_tei_rerank, R"({"query":"q","texts":["a","a","a","a","a"]})").ok());
  EXPECT_FALSE(parse(parse_tei_tokenize, R"({"inputs":["a","a","a","a","a"]})").ok());
  EXPECT_FALSE(parse(parse_tei_decode, R"({"ids":[[1],[1],[1],[1],[1]]})").ok());
  EXPECT_TRUE(parse(parse_tei_decode, R"({"ids":[1,1,1,1,1]})").ok());
}

}  // namespace
}  // namespace bouquet::ivy
