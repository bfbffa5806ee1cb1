// Each rule in its turn.
#include "tokenizer/decoders/english_cleanup.h"

#include "gtest/gtest.h"

namespace bouquet::tokenizer {
namespace {

std::string cleaned(std::string token) {
  clean_up_english(&token);
  return token;
}

TEST(EnglishCleanup, ClosesUp) {
  EXPECT_EQ(cleaned("a . b , c ?"), "a. b, c?");
  EXPECT_EQ(cleaned("I 'm , we do not"), "I'm, we don't");
  EXPECT_EQ(cleaned("a ' b"), "a'b");
}

}  // namespace
}  // namespace bouquet::tokenizer
