// What may leave and what may not.
#include "tulip/completion.h"

#include <cmath>

#include "gtest/gtest.h"

namespace bouquet::tulip {
namespace {

TEST(IsSound, RefusesNanInfinityAndZero) {
  const float good[] = {0, 1}, nan[] = {1, std::nanf("")}, infinite[] = {1, INFINITY}, zero[] = {0, 0};
  EXPECT_TRUE(is_sound(good, 2, Output::kEmbedding));
  EXPECT_FALSE(is_sound(nan, 2, Output::kEmbedding));
  EXPECT_FALSE(is_sound(infinite, 2, Output::kLogits));
  EXPECT_FALSE(is_sound(zero, 2, Output::kEmbedding));
  EXPECT_TRUE(is_sound(zero, 2, Output::kLogits));
  const float second_is_zero[] = {0, 1, 0, 0};
  EXPECT_FALSE(is_sound(second_is_zero, 2, Output::kEmbedding));
  EXPECT_TRUE(is_sound(second_is_zero, 2, Output::kLexical));
}

}  // namespace
}  // namespace bouquet::tulip
