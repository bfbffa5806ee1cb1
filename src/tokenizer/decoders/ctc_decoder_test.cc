// Runs, pads, delimiters, with cleanup and without.
#include "tokenizer/decoders/ctc_decoder.h"

#include "gtest/gtest.h"

namespace bouquet::tokenizer {
namespace {

using Tokens = std::vector<std::string>;

Tokens decoded(bool cleanup, Tokens tokens) {
  CtcDecoder({"<pad>", "|", cleanup}).decode(&tokens);
  return tokens;
}

TEST(CtcDecoder, Decodes) {
  EXPECT_EQ(decoded(true, {"<pad>", "h", "h", "e", "l", "<pad>", "l", "o<pad>"}), (Tokens{"h", "e", "l", "l", "o"}));
  EXPECT_EQ(decoded(true, {"a", "|", "|", "x|y", " .", "|"}), (Tokens{"a", " ", "x y", ".", " "}));
  EXPECT_EQ(decoded(false, {"a", "|", "|", "x|y", " ."}), (Tokens{"a", "|", "x|y", " ."}));
}

}  // namespace
}  // namespace bouquet::tokenizer
