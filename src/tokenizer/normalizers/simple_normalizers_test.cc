// One example each, and a sequence.
#include "tokenizer/normalizers/simple_normalizers.h"

#include "gtest/gtest.h"
#include "tokenizer/normalizers/form_normalizer.h"
#include "tokenizer/testing/run.h"

namespace bouquet::tokenizer {
namespace {

TEST(SimpleNormalizers, EachAlone) {
  EXPECT_EQ(normalize(LowercaseNormalizer(), "A\xC3\x89\xC4\xB0"), "a\xC3\xA9i\xCC\x87");
  EXPECT_EQ(normalize(StripAccentsNormalizer(), "e\xCC\x81\xC3\xA9"), "e\xC3\xA9");
}

TEST(SimpleNormalizers, Ends) {
  EXPECT_EQ(normalize(PrependNormalizer("__"), "a"), "__a");
  EXPECT_EQ(normalize(PrependNormalizer("__"), ""), "");
  EXPECT_EQ(normalize(StripNormalizer(true, true), " \u3000a b\n "), "a b");
  EXPECT_EQ(normalize(StripNormalizer(true, false), " a "), "a ");
  EXPECT_EQ(normalize(StripNormalizer(false, true), " a "), " a");
  EXPECT_EQ(normalize(StripNormalizer(true, true), "  "), "");
  EXPECT_TRUE(StripNormalizer(true, true).looks_at_ends());
}

TEST(SimpleNormalizers, SequenceAppliesInOrder) {
  std::vector<std::unique_ptr<const Normalizer>> parts;
  parts.push_back(std::make_unique<FormNormalizer>(NormalForm::kNfd));
  parts.push_back(std::make_unique<StripAccentsNormalizer>());
  parts.push_back(std::make_unique<LowercaseNormalizer>());
  const SequenceNormalizer sequence(std::move(parts));
  EXPECT_EQ(normalize(sequence, "\xC3\x89"), "e");
  EXPECT_FALSE(sequence.isolates_chinese());
}

}  // namespace
}  // namespace bouquet::tokenizer
