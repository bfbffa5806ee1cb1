// Bit-equal base64, correctly rounded halves, stable squashing.
#include "ivy/api/encode.h"

#include <cmath>
#include <limits>
#include <vector>

#include "gtest/gtest.h"

namespace bouquet::ivy {
namespace {

std::string encoded(std::string_view text) {
  return base64({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
}

TEST(Encode, Base64OfTheStandard) {
  EXPECT_EQ(encoded(""), "");
  EXPECT_EQ(encoded("f"), "Zg==");
  EXPECT_EQ(encoded("fo"), "Zm8=");
  EXPECT_EQ(encoded("foo"), "Zm9v");
  EXPECT_EQ(encoded("foobar"), "Zm9vYmFy");
}

TEST(Encode, VectorsInEachForm) {
  const std::vector<float> vector = {1.0f, -0.5f};
  JsonWriter json;
  json.begin_array();
  for (const VectorFormat format : {VectorFormat::kFloat, VectorFormat::kBase64, VectorFormat::kBase64Float16}) {
    EXPECT_FALSE(is_quantised(format));
    write_vector(vector, format, QuantRule::kUnit, &json);
  }
  json.end_array();
  EXPECT_EQ(json.view(), R"([[1,-0.5],"AACAPwAAAL8=","ADwAuA=="])");
}

TEST(Encode, QuantisedVectorsInEachForm) {
  const std::vector<float> vector = {1.0f, -0.5f, 0.25f};
  JsonWriter json;
  json.begin_array();
  for (const VectorFormat format : {VectorFormat::kInt8, VectorFormat::kUint8, VectorFormat::kUbinary,
                                    VectorFormat::kBinary, VectorFormat::kBase64Int8, VectorFormat::kBase64Binary}) {
    EXPECT_TRUE(is_quantised(format));
    write_vector(vector, format, QuantRule::kUnit, &json);
  }
  json.end_array();
  EXPECT_EQ(json.view(), R"([[127,-64,32],[255,64,160],[160],[32],"f8Ag","BQ=="])");
}

TEST(Encode, Float16RoundsToNearestEven) {
  EXPECT_EQ(to_float16(0.0f), 0x0000);
  EXPECT_EQ(to_float16(-0.0f), 0x8000);
  EXPECT_EQ(to_float16(65504.0f), 0x7bff);
  EXPECT_EQ(to_float16(65520.0f), 0x7c00);
  EXPECT_EQ(to_float16(1.0f + 1.0f / 2048), 0x3c00);  // a tie goes to the even one
  EXPECT_EQ(to_float16(1.0f + 3.0f / 2048), 0x3c02);
  EXPECT_EQ(to_float16(std::ldexp(1.0f, -24)), 0x0001);  // the smallest
  EXPECT_EQ(to_float16(std::ldexp(1.0f, -25)), 0x0000);  // half of it ties to zero
  EXPECT_EQ(to_float16(std::ldexp(3.0f, -25)), 0x0002);
  EXPECT_EQ(to_float16(std::ldexp(1.0f, -14)), 0x0400);
  EXPECT_EQ(to_float16(std::numeric_limits<float>::infinity()), 0x7c00);
  EXPECT_EQ(to_float16(std::nanf("")) & 0x7e00, 0x7e00);
}

TEST(Encode, SigmoidKeepsScoresNearOneApart) {
  EXPECT_DOUBLE_EQ(sigmoid(0), 0.5);
  EXPECT_LT(sigmoid(17.0), sigmoid(17.5));
  EXPECT_GT(sigmoid(-800), -1e-300);
  EXPECT_NEAR(sigmoid(2) + sigmoid(-2), 1.0, 1e-15);
}

TEST(Encode, SoftmaxIsStable) {
  std::vector<double> logits = {1000, 1000, -1000};
  softmax(logits);
  EXPECT_DOUBLE_EQ(logits[0], 0.5);
  EXPECT_DOUBLE_EQ(logits[2], 0.0);
}

TEST(Encode, ProbabilitiesOfOneOrOfSeveral) {
  const std::vector<float> one = {0.0f};
  const std::vector<float> several = {1.0f, 1.0f};
  EXPECT_EQ(probabilities(several, true), (std::vector<double>{1.0, 1.0}));
  EXPECT_EQ(probabilities(one, false), std::vector<double>{0.5});
  EXPECT_EQ(probabilities(several, false), (std::vector<double>{0.5, 0.5}));
}

}  // namespace
}  // namespace bouquet::ivy
