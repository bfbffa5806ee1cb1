// Names parse both ways; unknown ones are refused by name.
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "rose/models/model_directory.h"

namespace bouquet::rose {
namespace {

TEST(Names, PoolingsAndActivations) {
  EXPECT_EQ(*parse_pooling("mean_sqrt_len_tokens"), Pooling::kMeanSqrtLen);
  EXPECT_EQ(name_of(Pooling::kLastToken), "lasttoken");
  EXPECT_EQ(*parse_activation("torch.nn.modules.linear.Identity"), Activation::kNone);
  EXPECT_THAT(std::string(parse_pooling("median").status().message()), testing::HasSubstr("median"));
  EXPECT_EQ(parse_activation("quick_gelu").status().code(), absl::StatusCode::kUnimplemented);
}

}  // namespace
}  // namespace bouquet::rose
