// What goes, what becomes a space, what stays.
#include "tokenizer/normalizers/nmt_normalizer.h"

#include "gtest/gtest.h"

namespace bouquet::tokenizer {
namespace {

TEST(NmtNormalizer, CleansUp) {
  const std::string original =
      "a\x01"
      "b\tc\u2581d\u008Fe\u00A0f\uFFFD";
  NormalizerScratch scratch;
  NormalizedText text;
  text.reset(original);
  NmtNormalizer().normalize(&scratch, &text);
  EXPECT_EQ(text.view(), "ab c de\u00A0f ");
  EXPECT_EQ(text.origin(1), 2);
  EXPECT_EQ(text.origin(4), 5);
}

TEST(NmtNormalizer, LeavesPlainTextAlone) {
  const std::string original = "plain \u5317";
  NormalizerScratch scratch;
  NormalizedText text;
  text.reset(original);
  NmtNormalizer().normalize(&scratch, &text);
  EXPECT_EQ(text.view().data(), original.data());
}

}  // namespace
}  // namespace bouquet::tokenizer
