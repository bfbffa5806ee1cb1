// The documented example of `tokenizers`, "the-final--countdown", by every behaviour.
#include "tokenizer/pre_tokenizers/split_behavior.h"

#include "gtest/gtest.h"

namespace bouquet::tokenizer {
namespace {

std::vector<Span> spans(SplitBehavior behavior) {
  std::vector<Segment> segments = {{{0, 3}, false}, {{3, 4}, true},   {{4, 9}, false},
                                   {{9, 10}, true}, {{10, 11}, true}, {{11, 20}, false}};
  std::vector<Piece> words;
  apply_behavior(behavior, &segments, &words);
  std::vector<Span> result;
  for (const Piece& word : words) result.push_back(word.span);
  return result;
}

TEST(SplitBehavior, All) {
  EXPECT_EQ(spans(SplitBehavior::kRemoved), (std::vector<Span>{{0, 3}, {4, 9}, {11, 20}}));
  EXPECT_EQ(spans(SplitBehavior::kIsolated), (std::vector<Span>{{0, 3}, {3, 4}, {4, 9}, {9, 10}, {10, 11}, {11, 20}}));
  EXPECT_EQ(spans(SplitBehavior::kMergedWithPrevious), (std::vector<Span>{{0, 4}, {4, 10}, {10, 11}, {11, 20}}));
  EXPECT_EQ(spans(SplitBehavior::kMergedWithNext), (std::vector<Span>{{0, 3}, {3, 9}, {9, 10}, {10, 20}}));
  EXPECT_EQ(spans(SplitBehavior::kContiguous), (std::vector<Span>{{0, 3}, {3, 4}, {4, 9}, {9, 11}, {11, 20}}));
}

TEST(SplitBehavior, EmptySegmentsAreNoWords) {
  std::vector<Segment> segments = {{{0, 0}, true}, {{0, 2}, false}};
  std::vector<Piece> words;
  apply_behavior(SplitBehavior::kIsolated, &segments, &words);
  EXPECT_EQ(words, (std::vector<Piece>{{{0, 2}}}));
}

}  // namespace
}  // namespace bouquet::tokenizer
