// Each class from a small model: the ids of a text, and what is refused.
#include "tokenizer/loading/sentencepiece_conversion.h"

#include "gtest/gtest.h"
#include "tokenizer/testing/small_sentencepiece.h"
#include "tokenizer/tokenizer.h"

namespace bouquet::tokenizer {
namespace {

absl::StatusOr<std::string> convert(std::string_view name, char model_type, TokenizerConfig config = {}) {
  config.tokenizer_class = name;
  return sentencepiece_tokenizer_json(*SentencePieceFile::parse(small_sentencepiece(model_type)), config);
}

std::vector<int32_t> ids(const absl::StatusOr<std::string>& json, std::string_view text) {
  const auto tokenizer = Tokenizer::from_json(*json);
  EXPECT_TRUE(tokenizer.ok()) << tokenizer.status();
  if (!tokenizer.ok()) return {};
  Encoding encoding;
  (*tokenizer)->encode(text, {}, &encoding);
  return encoding.ids;
}

using Ids = std::vector<int32_t>;

TEST(SentencePieceConversion, XlmRobertaHasItsOwnFirstIds) {
  EXPECT_EQ(ids(convert("XLMRobertaTokenizer", 1), "a <mask>"), (Ids{0, 7, 11, 2}));
  EXPECT_EQ(ids(convert("XLMRobertaTokenizer", 1), "?"), (Ids{0, 4, 3, 2}));
}

TEST(SentencePieceConversion, T5EndsWithSentinels) {
  TokenizerConfig config;
  config.extra_ids = 2;
  EXPECT_EQ(ids(convert("T5Tokenizer", 1, config), "a<extra_id_1>"), (Ids{6, 10, 2}));
  EXPECT_EQ(ids(convert("T5Tokenizer", 1, config), "a<t>"), (Ids{6, 8, 2}));
}

TEST(SentencePieceConversion, AlbertLowersAndNeedsItsTokens) {
  EXPECT_EQ(convert("AlbertTokenizer", 1).status().message(), "the vocabulary lacks [CLS]");
  auto file =
      *SentencePieceFile::parse(small_sentencepiece(1) + small_piece("[CLS]", 0, 3) + small_piece("[SEP]", 0, 3));
  TokenizerConfig config;
  config.tokenizer_class = "AlbertTokenizer";
  EXPECT_EQ(ids(sentencepiece_tokenizer_json(file, config), "\u00C1"), (Ids{10, 6, 11}));
  config.flags["do_lower_case"] = false;
  EXPECT_EQ(ids(sentencepiece_tokenizer_json(file, config), "A"), (Ids{10, 3, 0, 11}));
}

TEST(SentencePieceConversion, LlamaPutsASpaceBefore) {
  EXPECT_EQ(ids(convert("LlamaTokenizer", 2), "ab"), (Ids{1, 6, 5}));
  TokenizerConfig config;
  config.flags["legacy"] = false;
  config.flags["add_eos_token"] = true;
  EXPECT_EQ(ids(convert("LlamaTokenizer", 2, config), "ab<t>a"), (Ids{1, 6, 5, 8, 4, 2}));
}

TEST(SentencePieceConversion, GemmaDoesNot) {
  const auto file = *SentencePieceFile::parse(small_piece("<p>", 0, 3) + small_piece("<e>", 0, 3) +
                                              small_piece("<b>", 0, 3) + small_sentencepiece(2));
  TokenizerConfig config;
  config.tokenizer_class = "GemmaTokenizer";
  EXPECT_EQ(ids(sentencepiece_tokenizer_json(file, config), "ab a"), (Ids{2, 10, 9}));
  EXPECT_EQ(ids(sentencepiece_tokenizer_json(file, config), "<eos>"), (Ids{2, 1}));
}

TEST(SentencePieceConversion, OthersAreNamed) {
  EXPECT_EQ(
      convert("MarianTokenizer", 1).status(),
      absl::UnimplementedError("tokenizer_class \"MarianTokenizer\" with a SentencePiece model is not supported"));
  EXPECT_EQ(convert("T5Tokenizer", 2).status(),
            absl::UnimplementedError("a SentencePiece model of type 2 for T5Tokenizer is not supported"));
}

}  // namespace
}  // namespace bouquet::tokenizer
