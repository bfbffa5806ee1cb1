// Numbers as flags take them.
#include "cli/numbers.h"

#include "gtest/gtest.h"

namespace bouquet::cli {
namespace {

std::string refusal(const CLI::Validator& validator, std::string text) { return validator(text); }

TEST(Numbers, ZeroOrMore) {
  for (const char* good : {"0", "1", "0.5", "1e9"}) EXPECT_EQ(refusal(zero_or_more(), good), "");
  EXPECT_EQ(refusal(zero_or_more(), "x"), "\"x\" should be a number of 0 or more");
  EXPECT_EQ(refusal(zero_or_more(), "-1"), "\"-1\" should be a number of 0 or more");
}

TEST(Numbers, AboveZero) {
  for (const char* good : {"1", "0.5"}) EXPECT_EQ(refusal(above_zero(), good), "");
  for (const char* bad : {"0", "-1", "", "x"}) EXPECT_NE(refusal(above_zero(), bad), "") << bad;
}

}  // namespace
}  // namespace bouquet::cli
