// Joining and cleaning up.
#include "tokenizer/decoders/wordpiece_decoder.h"

#include <vector>

#include "gtest/gtest.h"

namespace bouquet::tokenizer {
namespace {

std::string decode(bool cleanup, std::vector<std::string> tokens) {
  WordpieceDecoder("##", cleanup).decode(&tokens);
  std::string text;
  for (const std::string& token : tokens) text.append(token);
  return text;
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
