// Texts that stay, and origins where they do not.
#include "tokenizer/normalizers/form_normalizer.h"

#include "gtest/gtest.h"

namespace bouquet::tokenizer {
namespace {

TEST(FormNormalizer, LeavesWhatIsInTheForm) {
  const std::string original = "caf\u00E9";
  NormalizerScratch scratch;
  NormalizedText text;
  text.reset(original);
  FormNormalizer(NormalForm::kNfc).normalize(&scratch, &text);
  EXPECT_EQ(text.view().data(), original.data());
}

TEST(FormNormalizer, KeepsOrigins) {
  const std::string original = "xe\u0301y\u1112\u1161z";
  NormalizerScratch scratch;
  NormalizedText text;
  text.reset(original);
  FormNormalizer(NormalForm::kNfc).normalize(&scratch, &text);
  ASSERT_EQ(text.view(), "x\u00E9y\uD558z");
  EXPECT_EQ(text.origin(1), 1);
  EXPECT_EQ(text.original_end(3), 2);  // as `tokenizers` has it: only the character that takes the mark
  EXPECT_EQ(text.origin(3), 4);
  EXPECT_EQ(text.origin(4), 5);
  EXPECT_EQ(text.origin(7), 11);
}

}  // namespace
}  // namespace bouquet::tokenizer
