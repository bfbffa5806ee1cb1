// The same text through each.
#include "tokenizer/pre_tokenizers/whitespace_pre_tokenizers.h"

#include "gtest/gtest.h"

namespace bouquet::tokenizer {
namespace {

std::vector<Span> split(const PreTokenizer& pre_tokenizer, std::string_view text) {
  NormalizedText normalized;
  normalized.reset(text);
  std::vector<Piece> words;
  pre_tokenizer.split({{{0, static_cast<uint32_t>(text.size())}}}, &normalized, &words);
  std::vector<Span> spans;
  for (const Piece& word : words) spans.push_back(word.span);
  return spans;
}

TEST(WhitespacePreTokenizers, Split) {
  const std::string_view text =
      " a_b--c\xC2\xA0"
      "d ";
  EXPECT_EQ(split(WhitespaceSplitPreTokenizer(), text), (std::vector<Span>{{1, 7}, {9, 10}}));
  EXPECT_EQ(split(WhitespacePreTokenizer(), text), (std::vector<Span>{{1, 4}, {4, 6}, {6, 7}, {9, 10}}));
}

TEST(WhitespacePreTokenizers, SequenceSplitsFurther) {
  std::vector<std::unique_ptr<const PreTokenizer>> parts;
  parts.push_back(std::make_unique<WhitespaceSplitPreTokenizer>());
  parts.push_back(std::make_unique<WhitespacePreTokenizer>());
  const SequencePreTokenizer sequence(std::move(parts));
  EXPECT_EQ(split(sequence, "ab- c"), (std::vector<Span>{{0, 2}, {2, 3}, {4, 5}}));
  EXPECT_FALSE(sequence.isolates_punctuation());
}

}  // namespace
}  // namespace bouquet::tokenizer
