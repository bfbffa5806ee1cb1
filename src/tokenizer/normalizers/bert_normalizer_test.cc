// Each option alone; the golden test compares whole texts.
#include "tokenizer/normalizers/bert_normalizer.h"

#include "gtest/gtest.h"
#include "tokenizer/testing/run.h"

namespace bouquet::tokenizer {
namespace {

std::string normalize(const BertNormalizerOptions& options, std::string_view in) {
  return normalize(BertNormalizer(options), in);
}

constexpr BertNormalizerOptions kNothing = {false, false, false, false};

TEST(BertNormalizer, CleanText) {
  BertNormalizerOptions options = kNothing;
  EXPECT_EQ(normalize(options, "A\x01\t\xC3\x89\xE5\x8C\x97"), "A\x01\t\xC3\x89\xE5\x8C\x97");
  options.clean_text = true;
  EXPECT_EQ(normalize(options, "A\x01\tB\v\xE2\x80\xA8\xC2\xA0\xE2\x80\x8B."), "A B  .");
}

TEST(BertNormalizer, ChineseAccentsCase) {
  BertNormalizerOptions options = kNothing;
  options.handle_chinese_chars = true;
  EXPECT_EQ(normalize(options, "a\xE5\x8C\x97"), "a \xE5\x8C\x97 ");
  options = kNothing;
  options.strip_accents = true;
  EXPECT_EQ(normalize(options, "\xC3\x89t\xC3\xA9"), "Ete");
  options = kNothing;
  options.lowercase = true;
  EXPECT_EQ(normalize(options, "\xC3\x89T\xC4\xB0"), "\xC3\xA9ti\xCC\x87");
  EXPECT_EQ(normalize({}, "\xC3\x89T\xC4\xB0"), "eti");
}

TEST(BertNormalizer, OriginsPointToTheSource) {
  NormalizerScratch scratch;
  NormalizedText text;
  text.reset(
      "A\x01\xC3\x89"
      "b");
  BertNormalizer({}).normalize(&scratch, &text);
  ASSERT_EQ(text.view(), "aeb");
  EXPECT_EQ(text.original_begin(1), 2);
  EXPECT_EQ(text.original_end(2), 4);
  EXPECT_EQ(text.original_end(3), 5);
}

}  // namespace
}  // namespace bouquet::tokenizer
