// Punctuation by two behaviours, digits alone and in runs.
#include "tokenizer/pre_tokenizers/class_pre_tokenizers.h"

#include "gtest/gtest.h"
#include "tokenizer/testing/split_words.h"

namespace bouquet::tokenizer {
namespace {

using Words = std::vector<std::string>;

TEST(ClassPreTokenizers, Punctuation) {
  EXPECT_EQ(split_words(PunctuationPreTokenizer(SplitBehavior::kIsolated), "a,, b。"),
            (Words{"a", ",", ",", " b", "。"}));
  EXPECT_EQ(split_words(PunctuationPreTokenizer(SplitBehavior::kMergedWithPrevious), "a,, b"),
            (Words{"a,", ",", " b"}));
}

TEST(ClassPreTokenizers, Digits) {
  EXPECT_EQ(split_words(DigitsPreTokenizer(true), "a12½"), (Words{"a", "1", "2", "½"}));
  EXPECT_EQ(split_words(DigitsPreTokenizer(false), "a12½b"), (Words{"a", "12½", "b"}));
}

}  // namespace
}  // namespace bouquet::tokenizer
