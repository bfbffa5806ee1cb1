// Options and named tokens, ids by line, other classes.
#include "tokenizer/loading/bert_vocabulary.h"

#include "gtest/gtest.h"
#include "tokenizer/tokenizer.h"

namespace bouquet::tokenizer {
namespace {

constexpr std::string_view kLines = "[PAD]\r\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\nA\n##b\nhi\n";

std::vector<int32_t> ids(std::string_view lines, const TokenizerConfig& config, std::string_view text) {
  const auto json = bert_tokenizer_json(lines, config);
  EXPECT_TRUE(json.ok()) << json.status();
  const auto tokenizer = Tokenizer::from_json(*json);
  EXPECT_TRUE(tokenizer.ok()) << tokenizer.status();
  Encoding encoding;
  (*tokenizer)->encode(text, {}, &encoding);
  return encoding.ids;
}

TEST(BertVocabulary, LowersUnlessToldNotTo) {
  TokenizerConfig config;
  EXPECT_EQ(ids(kLines, config, "Ab [MASK] \u00E1"), (std::vector<int32_t>{2, 5, 7, 4, 5, 3}));
  config.flags["do_lower_case"] = false;
  EXPECT_EQ(ids(kLines, config, "Ab \u00E1"), (std::vector<int32_t>{2, 6, 7, 1, 3}));
}

TEST(BertVocabulary, TokensMayHaveOtherNames) {
  const auto config = read_tokenizer_config(R"({"sep_token":"hi"})", "");
  EXPECT_EQ(ids(kLines, *config, "hi a"), (std::vector<int32_t>{2, 8, 5, 8}));
}

TEST(BertVocabulary, Refuses) {
  TokenizerConfig config;
  EXPECT_EQ(bert_tokenizer_json("[UNK]\n[SEP]\n", config).status().message(), "the vocabulary lacks [CLS]");
  EXPECT_EQ(bert_tokenizer_json("\xFF", config).status().message(), "is not UTF-8");
  config.tokenizer_class = "MPNetTokenizer";
  EXPECT_EQ(bert_tokenizer_json(kLines, config).status(),
            absl::UnimplementedError("tokenizer_class \"MPNetTokenizer\" with a vocab.txt is not supported"));
}

}  // namespace
}  // namespace bouquet::tokenizer
