// Keys that matter, that do not, and that somebody vouches for.
#include "rose/models/config_keys.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace bouquet::rose {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(ConfigKeys, UnknownOnesAreRefusedByName) {
  const auto config = JsonConfig::parse(
      R"({"hidden_size":4,"attn_temperature":2.5,"hidden_dropout_prob":0.1,"eos_token_id":3,"new_feature":false,"x":[]})",
      "config.json");
  ASSERT_TRUE(config.ok());
  EXPECT_EQ(*config->integer("hidden_size"), 4);
  std::vector<std::string> ignored;
  const absl::Status status = check_config_keys(*config, {}, {}, &ignored);
  EXPECT_TRUE(absl::IsUnimplemented(status));
  EXPECT_THAT(std::string(status.message()), HasSubstr("--ignore-config-key attn_temperature"));
  EXPECT_TRUE(ignored.empty());
  EXPECT_TRUE(check_config_keys(*config, {}, {"attn_temperature"}, &ignored).ok());
  EXPECT_THAT(ignored, ElementsAre("attn_temperature"));
}

TEST(ConfigKeys, AnArchitectureMayHaveSomeWithoutEffect) {
  const auto config = JsonConfig::parse(R"({"layer_norm_eps":1e-5})", "config.json");
  std::vector<std::string> ignored;
  EXPECT_FALSE(check_config_keys(*config, {}, {}, &ignored).ok());
  EXPECT_TRUE(check_config_keys(*config, {"layer_norm_eps"}, {}, &ignored).ok());
}

TEST(ConfigKeys, WhatIsAskedForIsKnown) {
  const auto config = JsonConfig::parse(R"({"attn_temperature":2.5})", "config.json");
  EXPECT_EQ(*config->number_or("attn_temperature", 1), 2.5);
  std::vector<std::string> ignored;
  EXPECT_TRUE(check_config_keys(*config, {}, {}, &ignored).ok());
}

}  // namespace
}  // namespace bouquet::rose
