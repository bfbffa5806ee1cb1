// Known words, unknown ones, added tokens and the limit.
#include "tokenizer/models/wordlevel_model.h"

#include "gtest/gtest.h"

namespace bouquet::tokenizer {
namespace {

absl::StatusOr<std::unique_ptr<const Model>> parse(const std::string& json) {
  simdjson::dom::parser parser;
  return WordlevelModel::make(*JsonObject::of(parser.parse(json).value(), "model"));
}

TEST(WordlevelModel, LooksWordsUp) {
  const auto model = parse(R"({"vocab":{"ab":3,"?":1},"unk_token":"?"})");
  ASSERT_TRUE(model.ok()) << model.status();
  const Piece words[] = {{{0, 2}}, {{3, 4}}, {{4, 5}, 9}, {{0, 2}}};
  TokenBuffer tokens;
  (*model)->tokenize("ab a!", words, 3, &tokens);
  EXPECT_EQ(tokens.ids, (std::vector<int32_t>{3, 1, 9}));
  EXPECT_EQ(tokens.offsets[1], (Offset{3, 4}));
}

TEST(WordlevelModel, NeedsTheUnknownToken) {
  EXPECT_EQ(parse(R"({"vocab":{"ab":3},"unk_token":"?"})").status().message(),
            "tokenizer.json: model.unk_token is not in the vocabulary");
}

}  // namespace
}  // namespace bouquet::tokenizer
