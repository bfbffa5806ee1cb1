// Best paths, ties, unknown characters, bytes, and broken files named.
#include "tokenizer/models/unigram_model.h"

#include "gtest/gtest.h"

namespace bouquet::tokenizer {
namespace {

absl::StatusOr<std::unique_ptr<const Model>> parse(const std::string& json) {
  simdjson::dom::parser parser;
  return UnigramModel::make(*JsonObject::of(parser.parse(json).value(), "model"));
}

TokenBuffer tokens(const std::string& vocabulary, std::string_view word, bool byte_fallback = false) {
  const auto model = parse(R"({"unk_id":0,"byte_fallback":)" + std::string(byte_fallback ? "true" : "false") +
                           R"(,"vocab":[["?",0],)" + vocabulary + "]}");
  TokenBuffer result;
  (*model)->tokenize(word, std::vector<Piece>{{{0, static_cast<uint32_t>(word.size())}}}, 100, &result);
  return result;
}

using Ids = std::vector<int32_t>;

TEST(UnigramModel, HighestSumWins) {
  const std::string vocabulary = R"(["a",-1],["b",-1],["ab",-3],["abc",-2.5],["c",-1])";
  EXPECT_EQ(tokens(vocabulary, "ab").ids, (Ids{1, 2}));
  EXPECT_EQ(tokens(vocabulary, "abc").ids, (Ids{4}));
}

TEST(UnigramModel, OfEqualSumsTheLongestLastPieceStays) {
  EXPECT_EQ(tokens(R"(["a",-1],["bc",-2],["ab",-2],["c",-1])", "abc").ids, (Ids{1, 2}));
}

// The second score is the higher number, but `tokenizers` reads both as the same.
TEST(UnigramModel, ScoresAreReadAsTokenizersReadsThem) {
  EXPECT_EQ(tokens(R"(["ab",-9.074913952899209],["a",0],["b",-9.074913952899207])", "ab").ids, (Ids{1}));
  EXPECT_EQ(tokens(R"(["ab",-9.074913952899209],["a",0],["b",-9.074913952899204])", "ab").ids, (Ids{2, 3}));
}

TEST(UnigramModel, UnknownCharactersFuse) {
  const TokenBuffer found = tokens(R"(["a",-1])", "éüaé");
  EXPECT_EQ(found.ids, (Ids{0, 1, 0}));
  EXPECT_EQ(found.offsets, (std::vector<Offset>{{0, 4}, {4, 5}, {5, 7}}));
}

TEST(UnigramModel, UnknownTextMayBeBytes) {
  const std::string bytes = R"(["<0xC3>",-1],["<0xA9>",-1])";
  EXPECT_EQ(tokens(bytes, "é", true).ids, (Ids{1, 2}));
  EXPECT_EQ(tokens(bytes, "éü", true).ids, (Ids{0}));  // 0xBC is missing
  EXPECT_EQ(tokens(bytes, "é").ids, (Ids{0}));
}

TEST(UnigramModel, StopsAtTheLimitAndKeepsAddedTokens) {
  const auto model = parse(R"({"unk_id":0,"vocab":[["?",0],["a",-1]]})");
  TokenBuffer found;
  (*model)->tokenize("aaa", std::vector<Piece>{{{0, 1}}, {{1, 2}, 9}, {{2, 3}}}, 2, &found);
  EXPECT_EQ(found.ids, (Ids{1, 9}));
}

TEST(UnigramModel, BrokenFilesAreNamed) {
  EXPECT_EQ(parse(R"({"unk_id":0,"vocab":[]})").status().message(), "tokenizer.json: model.vocab is empty");
  EXPECT_EQ(parse(R"({"unk_id":0,"vocab":[["a",0],["b"]]})").status().message(),
            "tokenizer.json: model.vocab[1] is not [piece, score]");
  EXPECT_EQ(parse(R"({"unk_id":1,"vocab":[["a",0]]})").status().message(),
            "tokenizer.json: model.unk_id is not in the vocabulary");
}

}  // namespace
}  // namespace bouquet::tokenizer
