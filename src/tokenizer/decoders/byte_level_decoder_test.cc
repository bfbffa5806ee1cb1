// Characters across tokens, tokens outside the alphabet, ends of words.
#include "tokenizer/decoders/byte_level_decoder.h"

#include "gtest/gtest.h"
#include "tokenizer/testing/run.h"

namespace bouquet::tokenizer {
namespace {

using Tokens = std::vector<std::string>;

TEST(ByteLevelDecoder, BytesOfAllTokens) {
  const ByteLevelDecoder decoder;
  EXPECT_EQ(decoded(decoder, {"a\u0120b", "\u00C3", "\u00A9"}), (Tokens{"a b\u00E9"}));
  EXPECT_EQ(decoded(decoder, {"\u00C3", "x"}), (Tokens{"\uFFFDx"}));
  EXPECT_EQ(decoded(decoder, {"a b", "\u0120"}), (Tokens{"a b "}));
}

TEST(BpeDecoder, SuffixesBecomeSpaces) {
  EXPECT_EQ(decoded(BpeDecoder("</w>"), {"a", "b</w>", "c</w>"}), (Tokens{"a", "b ", "c"}));
}

}  // namespace
}  // namespace bouquet::tokenizer
