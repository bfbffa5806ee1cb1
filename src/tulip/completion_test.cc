// What may leave and what may not.
#include "tulip/completion.h"

#include <cmath>

#include "gtest/gtest.h"

namespace bouquet::tulip {
namespace {

TEST(IsSound, RefusesNanInfinityAndZero) {
  const float good[] = {0, 1}, nan[] = {1, std::nanf("")}, infinite[] = {1, INFINITY}, zero[] = {0, 0};
  EXPECT_TRUE(is_sound(good, Output::kEmbedding));
  EXPECT_FALSE(is_sound(nan, Output::kEmbedding));
  EXPECT_FALSE(is_sound(infinite, Output::kLogits));
  EXPECT_FALSE(is_sound(zero, Output::kEmbedding));
  EXPECT_TRUE(is_sound(zero, Output::kLogits));
}

}  // namespace
}  // namespace bouquet::tulip
