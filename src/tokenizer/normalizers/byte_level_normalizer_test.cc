// Bytes of one character share its origin.
#include "tokenizer/normalizers/byte_level_normalizer.h"

#include "gtest/gtest.h"

namespace bouquet::tokenizer {
namespace {

TEST(ByteLevelNormalizer, WritesTheAlphabet) {
  const std::string original = "h\u00E9 \n";
  NormalizerScratch scratch;
  NormalizedText text;
  text.reset(original);
  ByteLevelNormalizer().normalize(&scratch, &text);
  EXPECT_EQ(text.view(), "h\u00C3\u00A9\u0120\u010A");
  EXPECT_EQ(text.origin(3), 1);
  EXPECT_EQ(text.original_end(5), 3);
  EXPECT_EQ(text.origin(5), 3);
}

}  // namespace
}  // namespace bouquet::tokenizer
