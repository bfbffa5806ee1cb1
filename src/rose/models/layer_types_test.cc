// Which layers see all, as either way of writing it says.
#include "rose/models/layer_types.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace bouquet::rose {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

absl::StatusOr<std::vector<bool>> full_layers(std::string_view text, int32_t layers, EveryNth otherwise) {
  return parse_full_layers(*JsonConfig::parse(text, "config.json"), layers, otherwise);
}

TEST(LayerTypes, AsListed) {
  const auto full = full_layers(R"({"layer_types":["full_attention","sliding_attention"]})", 2, {});
  ASSERT_TRUE(full.ok()) << full.status();
  EXPECT_THAT(*full, ElementsAre(true, false));
}

TEST(LayerTypes, EveryNthWithoutAList) {
  EXPECT_THAT(*full_layers("{}", 4, {.first = 0, .every = 3}), ElementsAre(true, false, false, true));
  EXPECT_THAT(*full_layers("{}", 4, {.first = 1, .every = 2}), ElementsAre(false, true, false, true));
}

TEST(LayerTypes, RefusesWhatDoesNotFit) {
  const auto short_list = full_layers(R"({"layer_types":["full_attention"]})", 2, {});
  EXPECT_EQ(short_list.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(short_list.status().message()), HasSubstr("config.json: layer_types"));
  EXPECT_EQ(full_layers("{}", 2, {.every = 0}).status().code(), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace bouquet::rose
