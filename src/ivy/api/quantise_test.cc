// Rounding, ranges, and both orders of bits.
#include "ivy/api/quantise.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace bouquet::ivy {
namespace {

using testing::ElementsAre;

TEST(Quantise, UnitVectorsAreScaledBy127) {
  const std::vector<float> vector = {0.0f, 1.0f, -1.0f, 0.5f, -0.5f, 0.004f, 2.0f, -2.0f};
  // 63.5 and -63.5 lie between two and go to the even one
  EXPECT_THAT(to_int8(vector, QuantRule::kUnit), ElementsAre(0, 127, -127, 64, -64, 1, 127, -128));
}

TEST(Quantise, TanhSquashesBeforeTheScale) {
  const std::vector<float> vector = {0.0f, 0.1f, -0.1f, 1.0f, -1.0f, 20.0f, -20.0f};
  EXPECT_THAT(to_int8(vector, QuantRule::kTanh), ElementsAre(0, 13, -13, 97, -97, 127, -127));
}

TEST(Quantise, BitsInBothOrders) {
  const std::vector<float> vector = {1, -1, -1, -1, -1, -1, 2, -1, 3};
  EXPECT_THAT(to_bits(vector, QuantRule::kUnit, BitOrder::kMostFirst), ElementsAre(0b1000'0010, 0b1000'0000));
  EXPECT_THAT(to_bits(vector, QuantRule::kUnit, BitOrder::kLeastFirst), ElementsAre(0b0100'0001, 0b0000'0001));
}

TEST(Quantise, ZeroIsABitOnlyUnderTanh) {
  const std::vector<float> vector = {0.0f, -0.0f, 1.0f};
  EXPECT_THAT(to_bits(vector, QuantRule::kUnit, BitOrder::kMostFirst), ElementsAre(0b0010'0000));
  EXPECT_THAT(to_bits(vector, QuantRule::kTanh, BitOrder::kMostFirst), ElementsAre(0b1110'0000));
}

}  // namespace
}  // namespace bouquet::ivy
