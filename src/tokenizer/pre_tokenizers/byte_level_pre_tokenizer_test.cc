// Words of raw bytes, the space before, and the alphabet written out.
#include "tokenizer/pre_tokenizers/byte_level_pre_tokenizer.h"

#include "gtest/gtest.h"
#include "tokenizer/pre_tokenizers/whitespace_pre_tokenizers.h"
#include "tokenizer/testing/split_words.h"

namespace bouquet::tokenizer {
namespace {

using Words = std::vector<std::string>;

TEST(ByteLevelPreTokenizer, Words) {
  EXPECT_EQ(split_words(ByteLevelPreTokenizer(false, true), "it's  é"), (Words{"it", "'s", " ", " é"}));
  EXPECT_EQ(split_words(ByteLevelPreTokenizer(true, true), "a b"), (Words{" a", " b"}));
  EXPECT_EQ(split_words(ByteLevelPreTokenizer(true, false), "a b"), (Words{" a b"}));
  EXPECT_EQ(split_words(ByteLevelPreTokenizer(true, false), " a"), (Words{" a"}));
}

TEST(ByteLevelPreTokenizer, AlphabetKeepsOrigins) {
  const ByteAlphabetPreTokenizer alphabet(std::make_unique<const ByteLevelPreTokenizer>(false, true));
  EXPECT_EQ(split_words(alphabet, "a é"), (Words{"a", "\u0120\u00C3\u00A9"}));
  NormalizedText text;
  text.reset("a é");
  std::vector<Piece> words;
  alphabet.split({{{0, 4}}}, &text, &words);
  EXPECT_EQ(text.original_begin(5), 2);  // the second byte of é
  EXPECT_EQ(text.original_end(7), 4);
}

TEST(ByteLevelPreTokenizer, AlphabetOfTheAlphabet) {
  std::vector<std::unique_ptr<const PreTokenizer>> parts;
  parts.push_back(
      std::make_unique<const ByteAlphabetPreTokenizer>(std::make_unique<const ByteLevelPreTokenizer>(false, true)));
  parts.push_back(std::make_unique<const ByteLevelPreTokenizer>(false, false));
  const ByteAlphabetPreTokenizer twice(std::make_unique<const SequencePreTokenizer>(std::move(parts)));
  EXPECT_EQ(split_words(twice, "a b"), (Words{"a", "\u00C4\u0142b"}));  // of U+0120 and b
}

TEST(ByteLevelPreTokenizer, CutsFollowTheOptions) {
  EXPECT_EQ(ByteLevelPreTokenizer(false, true).cut_rule(), CutRule::kAfterLetter);
  EXPECT_EQ(ByteLevelPreTokenizer(true, true).cut_rule(), CutRule::kBeforeSpace);
  EXPECT_EQ(ByteLevelPreTokenizer(false, false).cut_rule(), CutRule::kAsNext);
  const auto alphabet_of = [](bool regex) {
    return ByteAlphabetPreTokenizer(std::make_unique<const ByteLevelPreTokenizer>(false, regex));
  };
  EXPECT_EQ(alphabet_of(true).cut_rule(), CutRule::kAfterLetter);
  EXPECT_EQ(alphabet_of(false).cut_rule(), CutRule::kNowhere);
}

}  // namespace
}  // namespace bouquet::tokenizer
