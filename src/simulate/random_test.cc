// The same numbers for the same seed, with the means that are asked for.
#include "simulate/random.h"

#include "gtest/gtest.h"

namespace bouquet::simulate {
namespace {

TEST(Random, TheSameSeedAndStreamGiveTheSameNumbers) {
  Random a(1, 2), b(1, 2), other_seed(2, 2), other_stream(1, 3);
  const double first = a.uniform();
  EXPECT_EQ(first, b.uniform());
  EXPECT_NE(first, other_seed.uniform());
  EXPECT_NE(first, other_stream.uniform());
}

TEST(Random, MeansAreAsWanted) {
  Random random(1, 1);
  double uniform = 0, exponential = 0;
  for (int i = 0; i < 100'000; ++i) {
    uniform += random.uniform();
    exponential += random.exponential(3);
    ASSERT_LT(random.below(7), 7u);
  }
  EXPECT_NEAR(uniform / 100'000, 0.5, 0.01);
  EXPECT_NEAR(exponential / 100'000, 3, 0.05);
}

}  // namespace
}  // namespace bouquet::simulate
