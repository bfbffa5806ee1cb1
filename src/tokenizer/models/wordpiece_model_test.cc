// Longest pieces first, unknown words, the length limit and the token limit.
#include "tokenizer/models/wordpiece_model.h"

#include "gtest/gtest.h"

namespace bouquet::tokenizer {
namespace {

absl::StatusOr<std::unique_ptr<const Model>> parse(const std::string& json) {
  simdjson::dom::parser parser;
  return WordpieceModel::make(*JsonObject::of(parser.parse(json).value(), "model"));
}

constexpr char kModel[] = R"({"unk_token":"?","continuing_subword_prefix":"##","max_input_chars_per_word":6,
    "vocab":{"?":0,"un":1,"##aff":2,"##able":3,"unaf":4,"##a":5,"##":6,"é":7,"##é":8}})";

std::vector<int32_t> ids(std::string_view word, size_t limit = 100) {
  TokenBuffer tokens;
  const Piece piece = {{0, static_cast<uint32_t>(word.size())}};
  (*parse(kModel))->tokenize(word, std::vector<Piece>(3, piece), limit, &tokens);
  return {tokens.ids.begin(),
          tokens.ids.begin() + static_cast<std::ptrdiff_t>(tokens.ids.size() / (limit == 1 ? 1 : 3))};
}

TEST(WordpieceModel, LongestFirst) {
  EXPECT_EQ(ids("una"), (std::vector<int32_t>{1, 5}));
  EXPECT_EQ(ids("unaff"), (std::vector<int32_t>{0}));  // "unaf" wins, then "##f" is missing
  EXPECT_EQ(ids("unable"), (std::vector<int32_t>{1, 3}));
  EXPECT_EQ(ids("x"), (std::vector<int32_t>{0}));
}

TEST(WordpieceModel, LimitsCountCharactersAndTokens) {
  EXPECT_EQ(ids("\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9"), (std::vector<int32_t>{7, 8, 8, 8, 8, 8}));
  EXPECT_EQ(ids("unaaaaa"), (std::vector<int32_t>{0}));
  EXPECT_EQ(ids("una", 1), (std::vector<int32_t>{1, 5}));
}

TEST(WordpieceModel, UnknownTokenMustExist) {
  const auto model =
      parse(R"({"unk_token":"?","continuing_subword_prefix":"","max_input_chars_per_word":1,"vocab":{}})");
  EXPECT_EQ(model.status().message(), "tokenizer.json: model.unk_token is not in the vocabulary");
}

}  // namespace
}  // namespace bouquet::tokenizer
