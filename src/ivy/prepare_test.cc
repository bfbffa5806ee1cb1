// Ids, prompts, pairs, cuts and refusals, on a tokenizer whose answers are known.
#include "ivy/prepare.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ivy/failure.h"
#include "ivy/testing/fakes.h"

namespace bouquet::ivy {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const testing_fakes::FakeTokenizer kTokenizer;

class PrepareTest : public testing::Test {
 protected:
  absl::StatusOr<Prepared> prepared() {
    return prepare(job_, {kTokenizer, recipe_, max_length_, 100, last_token_, raw_});
  }
  std::string refusal() {
    const auto result = prepared();
    return result.ok() ? "accepted" : std::string(result.status().message());
  }
  static std::string words(int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += "a ";
    return text;
  }

  Job job_;
  Recipe recipe_;
  int32_t max_length_ = 8;
  bool last_token_ = false;
  bool raw_ = false;
};

TEST_F(PrepareTest, LaysInputsOneAfterTheOther) {
  job_.inputs = {"a b", "c", TokenIds{1, 50, 2}};
  const auto result = prepared();
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_THAT(result->ids, ElementsAre(1, 27, 28, 2, 1, 29, 2, 1, 50, 2));
  EXPECT_THAT(result->lengths, ElementsAre(4, 3, 3));
  EXPECT_TRUE(result->token_types.empty());
  EXPECT_EQ(result->text_bytes, 4);
}

TEST_F(PrepareTest, EmptyInputsAreNamed) {
  job_.inputs = {"a", ""};
  EXPECT_EQ(field_of(prepared().status()), "input[1]");
  EXPECT_EQ(fault_of(prepared().status()), InputFault::kEmpty);
  job_.inputs = {""};
  job_.single = true;
  EXPECT_EQ(field_of(prepared().status()), "input");
  job_.inputs = {TokenIds{}};
  EXPECT_EQ(fault_of(prepared().status()), InputFault::kEmpty);
  job_.inputs = {" "};
  EXPECT_TRUE(prepared().ok());
}

TEST_F(PrepareTest, LongTextsAreCutOrRefusedWithBothCounts) {
  job_.inputs = {"a", words(7), words(6)};
  const auto cut = prepared();
  EXPECT_EQ(cut->truncated, 1);
  EXPECT_THAT(cut->lengths, ElementsAre(3, 8, 8));
  job_.options.truncate = false;
  EXPECT_THAT(refusal(), HasSubstr("input[1] has 9 tokens, more than the 8"));
  recipe_.truncate = false;
  job_.options.truncate = std::nullopt;
  EXPECT_THAT(refusal(), HasSubstr("9 tokens"));
}

TEST_F(PrepareTest, CutsTheSideAskedFor) {
  job_.inputs = {"x a a a a a b"};
  job_.options.truncation_side = tokenizer::TruncationSide::kLeft;
  const auto result = prepared();
  EXPECT_EQ(result->ids[1], 27);
  EXPECT_EQ(result->ids[6], 28);
}

TEST_F(PrepareTest, PutsPromptsBeforeTexts) {
  recipe_.prompts = {{"query", "c "}, {"document", "b "}};
  job_.inputs = {"a"};
  EXPECT_THAT(prepared()->ids, ElementsAre(1, 27, 2));
  recipe_.default_prompt = "document";
  EXPECT_THAT(prepared()->ids, ElementsAre(1, 28, 27, 2));
  job_.options.prompt_name = "query";
  EXPECT_THAT(prepared()->ids, ElementsAre(1, 29, 27, 2));
  job_.options.prompt = "";
  EXPECT_THAT(prepared()->ids, ElementsAre(1, 27, 2));
  job_.options.prompt = std::nullopt;
  job_.options.prompt_name = "other";
  EXPECT_EQ(field_of(prepared().status()), "prompt_name");
  job_.options.prompt_name = "query";
  job_.inputs = {TokenIds{1, 50, 2}};
  EXPECT_THAT(refusal(), HasSubstr("a prompt can only go before a text"));
  job_.options.prompt_name = std::nullopt;
  EXPECT_THAT(prepared()->ids, ElementsAre(1, 50, 2));
}

TEST_F(PrepareTest, ForeignTokenIdsAreRefused) {
  job_.inputs = {TokenIds{1, 50, 2}, TokenIds{50, 51}};
  EXPECT_THAT(refusal(), HasSubstr("check_embedding_ctx_length=False"));
  EXPECT_EQ(field_of(prepared().status()), "input[1]");
  job_.inputs = {TokenIds{1, 50}};
  EXPECT_TRUE(prepared().ok());
  last_token_ = true;
  EXPECT_THAT(refusal(), HasSubstr("do not end with 2 ([SEP])"));
  raw_ = true;
  job_.inputs = {TokenIds{50, 51}};
  EXPECT_THAT(prepared()->ids, ElementsAre(50, 51));
  job_.inputs = {TokenIds{50, 100}};
  EXPECT_THAT(refusal(), HasSubstr("input[0][1] is 100, outside the vocabulary of 100"));
}

TEST_F(PrepareTest, LongTokenIdsKeepTheTemplatesOwn) {
  job_.inputs = {TokenIds{1, 11, 12, 13, 14, 15, 16, 17, 18, 2}};
  EXPECT_THAT(prepared()->ids, ElementsAre(1, 11, 12, 13, 14, 15, 16, 2));
  EXPECT_EQ(prepared()->truncated, 1);
  job_.options.truncation_side = tokenizer::TruncationSide::kLeft;
  EXPECT_THAT(prepared()->ids, ElementsAre(1, 13, 14, 15, 16, 17, 18, 2));
  job_.options.truncate = false;
  EXPECT_THAT(refusal(), HasSubstr("has 10 tokens, more than the 8"));
}

TEST_F(PrepareTest, PairsCarryTokenTypes) {
  job_.task = Task::kScore;
  job_.field = "documents";
  job_.query = "a";
  job_.inputs = {"b c"};
  recipe_.document_prefix = "d ";
  EXPECT_THAT(prepared()->ids, ElementsAre(1, 27, 2, 30, 28, 29, 2));
  EXPECT_THAT(prepared()->token_types, ElementsAre(0, 0, 0, 1, 1, 1, 1));
  job_.inputs = {words(20)};
  EXPECT_EQ(prepared()->lengths[0], 8);
  EXPECT_EQ(prepared()->truncated, 1);
  job_.options.truncate = false;
  EXPECT_THAT(refusal(), HasSubstr("documents[0] has 25 tokens"));
  job_.query = "";
  EXPECT_EQ(field_of(prepared().status()), "query");
}

TEST_F(PrepareTest, DocumentsAreCutFirst) {
  job_.task = Task::kScore;
  job_.query = "a";
  job_.inputs = {"b c d", "e"};
  job_.options.max_document_tokens = 2;
  const auto result = prepared();
  EXPECT_THAT(result->lengths, ElementsAre(6, 5));
  EXPECT_EQ(result->truncated, 1);
}

TEST_F(PrepareTest, StopsWhenNobodyWaits) {
  std::stop_source stop;
  job_.inputs = {"a"};
  job_.call.cancelled = stop.get_token();
  stop.request_stop();
  EXPECT_EQ(prepared().status().code(), absl::StatusCode::kCancelled);
  job_.call = {};
  job_.call.deadline = tulip::Clock::now() - std::chrono::seconds(1);
  EXPECT_EQ(prepared().status().code(), absl::StatusCode::kDeadlineExceeded);
}

TEST_F(PrepareTest, TokenizesWithoutLimit) {
  job_.task = Task::kTokenize;
  job_.inputs = {words(20)};
  job_.options.add_special_tokens = false;
  EXPECT_EQ(prepared()->encodings[0].ids.size(), 20u);
}

TEST_F(PrepareTest, Decodes) {
  job_.inputs = {TokenIds{1, 50, 2}};
  job_.field = "ids";
  const Kitchen kitchen{kTokenizer, recipe_, 8, 100, false, false};
  EXPECT_THAT(*decode(job_, kitchen), ElementsAre("t50"));
  job_.options.skip_special_tokens = false;
  EXPECT_THAT(*decode(job_, kitchen), ElementsAre("t1 t50 t2"));
  job_.inputs = {TokenIds{1}, TokenIds{-1}};
  EXPECT_EQ(field_of(decode(job_, kitchen).status()), "ids[1]");
  job_.inputs = {"text"};
  EXPECT_FALSE(decode(job_, kitchen).ok());
}

TEST_F(PrepareTest, PairsMayHoldTheirOwnQueries) {
  job_.task = Task::kScore;
  recipe_.query_prefix = "Q ";
  recipe_.document_prefix = "D ";
  job_.query = "a";
  job_.inputs = {"b"};
  const std::vector<int32_t> one_query = prepared()->ids;
  job_.query = "";
  job_.inputs = {TextPair("a", "b")};
  EXPECT_EQ(prepared()->ids, one_query);
  job_.inputs = {TextPair("a", "b"), TextPair("", "b")};
  EXPECT_EQ(field_of(prepared().status()), "input[1]");
}

TEST_F(PrepareTest, APromptStandsBeforeADocumentsChunksInNone) {
  job_.task = Task::kContext;
  job_.options.prompt = "p ";
  job_.inputs = {ChunkedText{"a b", "c"}};
  const auto result = prepared();
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_THAT(result->ids, ElementsAre(1, 42, 27, 28, 29, 2));
  EXPECT_THAT(result->spans, ElementsAre(2, 4, 4, 5));
}

}  // namespace
}  // namespace bouquet::ivy
