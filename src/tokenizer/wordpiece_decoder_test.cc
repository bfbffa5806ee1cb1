// Joining and cleaning up.
#include "tokenizer/wordpiece_decoder.h"

#include <vector>

#include "gtest/gtest.h"

namespace bouquet::tokenizer {
namespace {

std::string decode(bool cleanup, const std::vector<std::string_view>& tokens) {
  return WordpieceDecoder("##", cleanup).decode(tokens);
}

TEST(WordpieceDecoder, JoinsPieces) {
  EXPECT_EQ(decode(false, {"##x", "un", "##able", ".", "##"}), "##x unable .");
  EXPECT_EQ(decode(false, {}), "");
}

TEST(WordpieceDecoder, CleansUpEachToken) {
  EXPECT_EQ(decode(true, {"I", "'m", "here", ",", "do not", "'", "a . b"}), "I'm here, don't ' a. b");
}

}  // namespace
}  // namespace bouquet::tokenizer
