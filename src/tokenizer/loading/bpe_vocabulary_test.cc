// The ids that transformers makes with the same two files; what they cannot be is named.
#include "tokenizer/loading/bpe_vocabulary.h"

#include "base/file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "simdjson.h"
#include "tokenizer/tokenizer.h"

namespace bouquet::tokenizer {
namespace {

using testing::HasSubstr;

const std::filesystem::path kFolder = std::filesystem::path(BOUQUET_SOURCE_DIR) / "tests/golden/bpe_files";

std::vector<int32_t> ids_of(simdjson::dom::element list) {
  std::vector<int32_t> ids;
  for (const auto id : simdjson::dom::array(list)) ids.push_back(static_cast<int32_t>(int64_t(id)));
  return ids;
}

class BpeFiles : public testing::TestWithParam<const char*> {};

TEST_P(BpeFiles, GiveTheIdsOfTransformers) {
  const auto tokenizer = Tokenizer::load_directory(kFolder / GetParam());
  ASSERT_TRUE(tokenizer.ok()) << tokenizer.status();
  const std::string text = *read_file(kFolder / GetParam() / "golden.json");
  simdjson::dom::parser parser;
  const simdjson::dom::element golden = parser.parse(text);
  Encoding encoding;
  for (const auto row : simdjson::dom::array(golden["texts"])) {
    (*tokenizer)->encode(row.at(0), {}, &encoding);
    EXPECT_EQ(encoding.ids, ids_of(row.at(1))) << row.at(0);
  }
  for (const auto row : simdjson::dom::array(golden["pairs"])) {
    (*tokenizer)->encode_pair(row.at(0), row.at(1), {}, &encoding);
    EXPECT_EQ(encoding.ids, ids_of(row.at(2))) << row.at(0);
  }
}

INSTANTIATE_TEST_SUITE_P(Classes, BpeFiles, testing::Values("roberta", "roberta-prefix-space", "gpt2", "qwen2"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

std::string error_of(std::string_view vocabulary, std::string_view merges, std::string name) {
  TokenizerConfig config;
  config.tokenizer_class = std::move(name);
  return std::string(bpe_tokenizer_json(vocabulary, merges, config).status().message());
}

TEST(BpeVocabulary, NamesWhatIsWrong) {
  EXPECT_THAT(error_of("{}", "", "CLIPTokenizer"), HasSubstr("\"CLIPTokenizer\" with a vocab.json"));
  for (const char* vocabulary : {"", "[]", R"({"a":-1})", R"({"a":"b"})", R"({"a":1}, "x": {)"}) {
    EXPECT_THAT(error_of(vocabulary, "", "GPT2Tokenizer"), HasSubstr("no JSON object of tokens")) << vocabulary;
  }
  EXPECT_THAT(error_of("{}", "#version: 0.2\na b\nabc\n", "GPT2Tokenizer"), HasSubstr("merges.txt, line 3: no pair"));
  EXPECT_THAT(error_of("{}", "a \xff", "GPT2Tokenizer"), HasSubstr("UTF-8"));
  EXPECT_THAT(error_of("{}", "", "RobertaTokenizer"), HasSubstr("lacks <s> or </s>"));
}

}  // namespace
}  // namespace bouquet::tokenizer
