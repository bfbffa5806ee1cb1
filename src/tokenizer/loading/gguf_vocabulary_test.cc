// What a vocabulary becomes, and what is said of one that cannot become anything.
#include "tokenizer/loading/gguf_vocabulary.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tokenizer/tokenizer.h"

namespace bouquet::tokenizer {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr int64_t kNormal = 1, kControl = 3, kUnused = 5;

GgufVocabulary bpe() {
  return {.model = "gpt2",
          .pre = "gpt-2",
          .tokens = {"<b>", "a", "b", "ab", "pad"},
          .token_type = {kControl, kNormal, kNormal, kNormal, kUnused},
          .merges = std::vector<std::string_view>{"a b"},
          .add_bos_token = true,
          .add_eos_token = std::nullopt,
          .bos_token_id = 0,
          .eos_token_id = std::nullopt,
          .cls_token_id = std::nullopt,
          .seperator_token_id = std::nullopt};
}

std::vector<int32_t> ids_of(const GgufVocabulary& vocabulary, std::string_view text) {
  const auto json = gguf_tokenizer_json(vocabulary);
  EXPECT_TRUE(json.ok()) << json.status();
  std::vector<int32_t> ids;
  (*Tokenizer::from_json(*json))->encode_ids(text, {}, &ids);
  return ids;
}

std::string error_of(const GgufVocabulary& vocabulary) {
  return std::string(gguf_tokenizer_json(vocabulary).status().message());
}

TEST(GgufVocabulary, FramesAndMerges) {
  GgufVocabulary vocabulary = bpe();
  EXPECT_THAT(ids_of(vocabulary, "aba<b>"), ElementsAre(0, 3, 1, 0));
  vocabulary.add_bos_token = false;
  vocabulary.add_eos_token = true;
  vocabulary.eos_token_id = 2;
  EXPECT_THAT(ids_of(vocabulary, "ab"), ElementsAre(3, 2));
}

TEST(GgufVocabulary, WordPieceByItsOwnMarks) {
  GgufVocabulary vocabulary;
  vocabulary.model = "bert";
  vocabulary.tokens = {"[UNK]", "[CLS]", "[SEP]", "\u2581a", "b"};
  EXPECT_THAT(ids_of(vocabulary, "AB b"), ElementsAre(1, 3, 4, 0, 2));
}

TEST(GgufVocabulary, NamesWhatIsMissing) {
  GgufVocabulary vocabulary = bpe();
  vocabulary.bos_token_id = 9;
  EXPECT_THAT(error_of(vocabulary), HasSubstr("tokenizer.ggml.bos_token_id is no token"));
  vocabulary = bpe();
  vocabulary.pre = "other";
  EXPECT_THAT(error_of(vocabulary), HasSubstr("tokenizer.ggml.pre \"other\""));
  vocabulary = bpe();
  vocabulary.merges = std::nullopt;
  EXPECT_THAT(error_of(vocabulary), HasSubstr("no tokenizer.ggml.merges"));
  vocabulary.tokens.clear();
  EXPECT_THAT(error_of(vocabulary), HasSubstr("no tokenizer.ggml.tokens"));
  vocabulary.model = "bert";
  vocabulary.tokens = {"a"};
  EXPECT_THAT(error_of(vocabulary), HasSubstr("no [CLS] or no [SEP]"));
}

}  // namespace
}  // namespace bouquet::tokenizer
