// Pairs of whole characters, and tokens that begin or end inside of one.
#include "tokenizer/models/char_pairs.h"

#include "gtest/gtest.h"

namespace bouquet::tokenizer {
namespace {

TEST(CharPairs, OnlyWhatStandsInTokens) {
  CharPairs pairs;
  pairs.add("北京a");
  EXPECT_TRUE(pairs.may_join("北京", 3));
  EXPECT_TRUE(pairs.may_join("x京a", 4));
  EXPECT_FALSE(pairs.may_join("京北", 3));
  EXPECT_FALSE(pairs.may_join("京b", 3));
  EXPECT_FALSE(pairs.may_join("b北", 1));
  EXPECT_TRUE(pairs.may_join("zz", 1));  // ASCII is not looked at
}

TEST(CharPairs, PartsOfCharactersJoinWhatTheyMayBelongTo) {
  CharPairs pairs;
  pairs.add("é\xE5\x8C");  // the start of U+5317 and others
  pairs.add("\x97é");      // the end of it
  EXPECT_TRUE(pairs.may_join("é北", 2));
  EXPECT_TRUE(pairs.may_join("é\xE5\x80\x80", 2));
  EXPECT_FALSE(pairs.may_join("é京", 2));  // begins with E4
  EXPECT_TRUE(pairs.may_join("北é", 3));   // ends with 97
  EXPECT_FALSE(pairs.may_join("京é", 3));
}

}  // namespace
}  // namespace bouquet::tokenizer
