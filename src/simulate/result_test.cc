// Nearest ranks.
#include "simulate/result.h"

#include "gtest/gtest.h"

namespace bouquet::simulate {
namespace {

TEST(Quantile, IsTheNearestRank) {
  std::vector<float> hundred;
  for (int i = 1; i <= 100; ++i) hundred.push_back(static_cast<float>(i));
  EXPECT_EQ(quantile(hundred, 0.5), 50);
  EXPECT_EQ(quantile(hundred, 0.99), 99);
  EXPECT_EQ(quantile(hundred, 0.999), 100);
  EXPECT_EQ(quantile(hundred, 0), 1);
  EXPECT_EQ(quantile({}, 0.5), 0);
}

}  // namespace
}  // namespace bouquet::simulate
