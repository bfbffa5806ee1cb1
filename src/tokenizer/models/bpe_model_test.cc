// Options one by one, broken files, and raw bytes against the alphabet written out.
#include "tokenizer/models/bpe_model.h"

#include "gtest/gtest.h"

namespace bouquet::tokenizer {
namespace {

absl::StatusOr<std::unique_ptr<const Model>> parse(const std::string& options, bool byte_level = false,
                                                   const std::string& merges = R"(["a b",["b","c"],"ab c"])") {
  simdjson::dom::parser parser;
  const std::string json = R"({"vocab":{"?":0,"a":1,"b":2,"c":3,"ab":4,"bc":5,"abc":6,"<0xC3>":7,"<0xA9>":8,"▁":9,
      "whole":10,"##b":11,"b</w>":12,"a##b":13},"merges":)" +
                           merges + options + "}";
  return BpeModel::make(*JsonObject::of(parser.parse(json).value(), "model"), byte_level);
}

struct Tokens {
  std::vector<int32_t> ids;
  std::vector<Offset> offsets;
};

Tokens tokens_of(const std::string& options, std::string_view word) {
  const auto model = parse(options);
  EXPECT_TRUE(model.ok()) << model.status();
  TokenBuffer tokens;
  (*model)->tokenize(word, std::vector<Piece>{{{0, static_cast<uint32_t>(word.size())}}}, 100, &tokens);
  return {tokens.ids, tokens.offsets};
}

using Ids = std::vector<int32_t>;
using Offsets = std::vector<Offset>;

TEST(BpeModel, MergesByRank) {
  EXPECT_EQ(tokens_of("", "abc").ids, (Ids{6}));
  EXPECT_EQ(tokens_of("", "bcab").ids, (Ids{5, 4}));
  EXPECT_EQ(tokens_of("", "abbc").offsets, (Offsets{{0, 2}, {2, 4}}));
}

TEST(BpeModel, UnknownCharacters) {
  EXPECT_EQ(tokens_of("", "axxb").ids, (Ids{4}));  // left out, and what remains is merged
  EXPECT_EQ(tokens_of(R"(,"unk_token":"?")", "axxb").ids, (Ids{1, 0, 0, 2}));
  EXPECT_EQ(tokens_of(R"(,"unk_token":"?","fuse_unk":true)", "axxb").ids, (Ids{1, 0, 2}));
  EXPECT_EQ(tokens_of(R"(,"unk_token":"?","fuse_unk":true)", "axxb").offsets, (Offsets{{0, 1}, {1, 3}, {3, 4}}));
  EXPECT_EQ(tokens_of(R"(,"byte_fallback":true,"unk_token":"?")", "a\xC3\xA9x").ids, (Ids{1, 7, 8, 0}));
  EXPECT_EQ(tokens_of(R"(,"byte_fallback":true)", "a\xC3\xA9").offsets, (Offsets{{0, 1}, {1, 3}, {1, 3}}));
}

TEST(BpeModel, WordsAsTheyStand) {
  EXPECT_EQ(tokens_of("", "whole").ids, (Ids{}));
  EXPECT_EQ(tokens_of(R"(,"ignore_merges":true)", "whole").ids, (Ids{10}));
}

TEST(BpeModel, MarksCutWords) {
  EXPECT_EQ(tokens_of(R"(,"unk_token":"?")", "ab▁▁ab").ids, (Ids{4, 9, 9, 4}));
  EXPECT_EQ(tokens_of("", "x▁").offsets, (Offsets{{0, 4}}));  // the place of what was left out
}

TEST(BpeModel, ManyWordsAtOnceAreAsOneByOne) {
  const auto model = parse(R"(,"unk_token":"?")");
  const std::string text =
      "abc"
      "bcab"
      "x"
      "abbcabbc"
      "whole"
      "c";
  std::vector<Piece> words;
  for (int round = 0; round < 10; ++round) {  // more than are joined in turn
    for (const Span span : {Span{0, 3}, {3, 7}, {7, 8}, {8, 16}, {16, 21}, {21, 22}}) words.push_back({span});
  }
  TokenBuffer each, together;
  std::vector<size_t> ends;
  (*model)->tokenize_each(text, words, &together, &ends);
  ASSERT_EQ(ends.size(), words.size());
  for (size_t i = 0; i < words.size(); ++i) {
    (*model)->tokenize(text, std::span(words).subspan(i, 1), 100000, &each);
    EXPECT_EQ(ends[i], each.size());
  }
  EXPECT_EQ(together.ids, each.ids);
  EXPECT_EQ(together.offsets, each.offsets);
}

TEST(BpeModel, SuffixOfTheLastCharacter) {
  EXPECT_EQ(tokens_of(R"(,"end_of_word_suffix":"</w>")", "abb").ids, (Ids{4, 12}));
}

TEST(BpeModel, BrokenFilesAreNamed) {
  EXPECT_EQ(parse(R"(,"dropout":0.1)").status(),
            absl::UnimplementedError("tokenizer.json: dropout of BPE is not supported"));
  EXPECT_TRUE(parse(R"(,"dropout":0.0)").ok());
  EXPECT_EQ(parse(R"(,"unk_token":"!")").status().message(),
            "tokenizer.json: model.unk_token is not in the vocabulary");
  EXPECT_EQ(parse("", false, R"(["a b","a x"])").status().message(),
            "tokenizer.json: model.merges[1] needs \"x\", which is not in the vocabulary");
  EXPECT_EQ(parse("", false, R"(["a b c"])").status().message(),
            "tokenizer.json: model.merges[0] is not two tokens and a space between them");
  EXPECT_EQ(parse("", false, "[7]").status().message(), "tokenizer.json: model.merges[0] is not a pair of tokens");
}

TEST(BpeModel, RawBytesOnlyWithTheWholeAlphabet) { EXPECT_FALSE((*parse("", true))->reads_bytes()); }

}  // namespace
}  // namespace bouquet::tokenizer
