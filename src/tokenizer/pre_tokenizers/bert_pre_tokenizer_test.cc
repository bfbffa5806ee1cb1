// Words, punctuation of all kinds, and part of a text.
#include "tokenizer/pre_tokenizers/bert_pre_tokenizer.h"

#include "gtest/gtest.h"

namespace bouquet::tokenizer {
namespace {

TEST(BertPreTokenizer, Splits) {
  const std::string_view text = " Hey, you?!\xE3\x80\x82 \xE3\x80\x80x";
  std::vector<Piece> words;
  BertPreTokenizer().cut(text, {0, static_cast<uint32_t>(text.size())}, &words);
  EXPECT_EQ(words, (std::vector<Piece>{{{1, 4}}, {{4, 5}}, {{6, 9}}, {{9, 10}}, {{10, 11}}, {{11, 14}}, {{18, 19}}}));
}

TEST(BertPreTokenizer, OnlyThePartAsked) {
  std::vector<Piece> words;
  BertPreTokenizer().cut("abc def", {1, 5}, &words);
  EXPECT_EQ(words, (std::vector<Piece>{{{1, 3}}, {{4, 5}}}));
}

}  // namespace
}  // namespace bouquet::tokenizer
