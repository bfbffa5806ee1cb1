// Rows are cut before they are scaled, and those of other lengths refused.
#include "cli/eval/rows.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace bouquet::cli {
namespace {

using testing::ElementsAre;
using testing::FloatEq;

TEST(Rows, UnitLengthOfWhatIsKept) {
  Collector collector({.unit = true, .leading = 2});
  ASSERT_TRUE(collector.write(std::vector<float>{3, 4, 12}).ok());
  ASSERT_TRUE(collector.write(std::vector<float>{0, 0, 1}).ok());
  EXPECT_THAT(collector.values, ElementsAre(FloatEq(0.6F), FloatEq(0.8F), 0, 0));
  EXPECT_EQ(collector.width(), 2u);
  EXPECT_EQ(collector.rows(), 2);
}

TEST(Rows, AsTheyComeForDotProducts) {
  Collector collector({.unit = false});
  ASSERT_TRUE(collector.write(std::vector<float>{3, 4}).ok());
  EXPECT_THAT(collector.values, ElementsAre(3, 4));
}

TEST(Rows, RefusesOtherLengths) {
  Collector collector({.leading = 3});
  EXPECT_EQ(collector.write(std::vector<float>{1, 2}).message(), "--dimensions 3 is more than the model's 2");
  Ranking ranking({1, 0}, 2, 1);
  Ranker ranker({.width = 2}, &ranking);
  EXPECT_TRUE(ranker.write(std::vector<float>{1, 2}).ok());
  EXPECT_FALSE(ranker.write(std::vector<float>{1, 2, 3}).ok());
}

}  // namespace
}  // namespace bouquet::cli
