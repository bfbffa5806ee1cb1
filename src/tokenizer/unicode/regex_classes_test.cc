// A member of each class, and that the flags stand in the order of the properties.
#include "tokenizer/unicode/regex_classes.h"

#include "gtest/gtest.h"

namespace bouquet::tokenizer {
namespace {

TEST(RegexClasses, OneOfEach) {
  const RegexClasses& classes = RegexClasses::get();
  EXPECT_EQ(classes.of('A'), kUpperClass | kWordClass);
  EXPECT_EQ(classes.of('a'), kLowerClass | kWordClass);
  EXPECT_EQ(classes.of(U'ǅ'), kTitleClass | kWordClass);
  EXPECT_EQ(classes.of(U'ʰ'), kModifierClass | kWordClass);
  EXPECT_EQ(classes.of(U'北'), kOtherLetterClass | kWordClass | kHanClass);
  EXPECT_EQ(classes.of(0x301), kMarkClass | kWordClass);
  EXPECT_EQ(classes.of('7'), kNumberClass | kDigitClass | kNumericClass | kWordClass);
  EXPECT_EQ(classes.of(U'½'), kNumberClass | kNumericClass | kWordClass);
  EXPECT_EQ(classes.of('!'), kPunctuationClass);
  EXPECT_EQ(classes.of('+'), kSymbolClass);
  EXPECT_EQ(classes.of('\n'), kSpaceClass);
  EXPECT_EQ(classes.of(0), 0);
}

}  // namespace
}  // namespace bouquet::tokenizer
