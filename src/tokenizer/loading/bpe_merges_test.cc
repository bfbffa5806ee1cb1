// The order, and a piece of characters of several bytes.
#include "tokenizer/loading/bpe_merges.h"

#include "gtest/gtest.h"

namespace bouquet::tokenizer {
namespace {

using Merges = std::vector<std::pair<std::string_view, std::string_view>>;

TEST(BpeMerges, BestScoreFirst) {
  EXPECT_EQ(merges_of({{"a", -9}, {"b", -9}, {"ab", -2}, {"ba", -1}}), (Merges{{"b", "a"}, {"a", "b"}}));
}

TEST(BpeMerges, LongerLeftHalvesFirst) {
  EXPECT_EQ(merges_of({{"a", -9}, {"aa", -3}, {"aaa", -2}}), (Merges{{"aa", "a"}, {"a", "aa"}, {"a", "a"}}));
}

TEST(BpeMerges, CutsBetweenCharacters) {
  EXPECT_EQ(merges_of({{"\u00E9", -9}, {"\u5317", -9}, {"\u00E9\u5317", -1}}), (Merges{{"\u00E9", "\u5317"}}));
}

}  // namespace
}  // namespace bouquet::tokenizer
