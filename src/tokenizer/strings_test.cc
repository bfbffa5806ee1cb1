// Replacement does not look at what it put in.
#include "tokenizer/strings.h"

#include "gtest/gtest.h"

namespace bouquet::tokenizer {
namespace {

TEST(Strings, ConcatAndReplace) {
  EXPECT_EQ(concat({"a", "", "bc"}), "abc");
  std::string text = "aab";
  replace_all("a", "aa", &text);
  EXPECT_EQ(text, "aaaab");
}

}  // namespace
}  // namespace bouquet::tokenizer
