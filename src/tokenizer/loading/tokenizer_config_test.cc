// Which file says what, and broken ones.
#include "tokenizer/loading/tokenizer_config.h"

#include "gtest/gtest.h"

namespace bouquet::tokenizer {
namespace {

TEST(TokenizerConfig, Reads) {
  const auto config = read_tokenizer_config(
      R"({"tokenizer_class":"BertTokenizerFast","do_lower_case":false,"strip_accents":null,"extra_ids":7,
          "mask_token":"<m>","additional_special_tokens":["<x>"]})",
      R"({"mask_token":{"content":"[M]","lstrip":true,"normalized":false},"pad_token":"[P]"})");
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_EQ(config->tokenizer_class, "BertTokenizer");
  EXPECT_FALSE(config->flag("do_lower_case", true));
  EXPECT_TRUE(config->flag("strip_accents", true));
  EXPECT_EQ(config->extra_ids, 7);
  EXPECT_EQ(config->token("mask_token", "").content, "[M]");
  EXPECT_TRUE(config->token("mask_token", "").lstrip);
  EXPECT_EQ(config->token("sep_token", "[S]").content, "[S]");
  EXPECT_EQ(config->additional.at(0).content, "<x>");
}

TEST(TokenizerConfig, AddedTokensDecoderCountsMoreThanTheMap) {
  const auto config = read_tokenizer_config(
      R"({"mask_token":"<m>","added_tokens_decoder":{"9":{"content":"b"},"5":{"content":"a","special":true}}})",
      R"({"mask_token":"[M]"})");
  ASSERT_TRUE(config.ok()) << config.status();
  ASSERT_EQ(config->added.size(), 2);
  EXPECT_EQ(config->added[0].content, "a");
  EXPECT_FALSE(config->added[0].normalized);
  EXPECT_TRUE(config->added[1].normalized);
  EXPECT_EQ(config->token("mask_token", "").content, "<m>");
}

TEST(TokenizerConfig, NamesWhatIsBroken) {
  const auto message = [](std::string_view config, std::string_view map) {
    return std::string(read_tokenizer_config(config, map).status().message());
  };
  EXPECT_EQ(message("[]", ""), "tokenizer_config.json: the file is not an object");
  EXPECT_EQ(message(R"({"legacy":1})", ""), "tokenizer_config.json: legacy is not true or false");
  EXPECT_EQ(message("", R"({"pad_token":7})"), "special_tokens_map.json: pad_token is not a token");
  EXPECT_EQ(message(R"({"added_tokens_decoder":{"x":{}}})", ""),
            "tokenizer_config.json: added_tokens_decoder has a key that is not an id");
}

}  // namespace
}  // namespace bouquet::tokenizer
