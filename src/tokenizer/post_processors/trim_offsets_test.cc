// Which spaces go, and which stay.
#include "tokenizer/post_processors/trim_offsets.h"

#include "gtest/gtest.h"

namespace bouquet::tokenizer {
namespace {

std::vector<Offset> trimmed(std::vector<OffsetTrim> passes, std::vector<Offset> offsets) {
  const Vocabulary vocabulary = Vocabulary::from_list({"\u0120a", "\u0120\u0120", "b\u0120", "\u3000"});
  const OffsetTrimmer trimmer(std::move(passes), vocabulary, AddedTokens());
  std::vector<int32_t> ids = {0, 1, 2, 3};
  ids.resize(offsets.size());
  trimmer.trim(" a  b \u3000", ids, offsets);
  return offsets;
}

TEST(OffsetTrimmer, Spaces) {
  const std::vector<Offset> whole = {{0, 2}, {2, 4}, {4, 6}, {6, 9}};
  EXPECT_EQ(trimmed({}, whole), whole);
  EXPECT_EQ(trimmed({{false}}, whole), (std::vector<Offset>{{1, 2}, {4, 4}, {4, 5}, {9, 9}}));
  EXPECT_EQ(trimmed({{true}}, whole), (std::vector<Offset>{{0, 2}, {4, 4}, {4, 5}, {9, 9}}));
  EXPECT_EQ(trimmed({{false}, {false}}, {{0, 2}})[0], (Offset{2, 2}));
}

}  // namespace
}  // namespace bouquet::tokenizer
