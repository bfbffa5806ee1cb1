// Each type, and where it says what is wrong.
#include "ivy/toml_values.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace bouquet::ivy {
namespace {

using testing::ElementsAre;
using testing::StartsWith;

std::string message(const absl::Status& status) { return std::string(status.message()); }

class TomlValues : public testing::Test {
 protected:
  const toml::node& at(std::string_view text) {
    table_ = parse_toml("\nx = " + std::string(text), "a.toml").value();
    return *table_.get("x");
  }
  toml::table table_;
};

TEST_F(TomlValues, NamesTheLineOfWhatCannotBeRead) {
  EXPECT_THAT(message(parse_toml("a = 1\n\nb = ", "dir/a.toml").status()), StartsWith("dir/a.toml:3: "));
}

TEST_F(TomlValues, ReadsEachType) {
  std::string text;
  bool yes = false, second = false;
  int32_t number = 0;
  size_t count = 1;
  double share = 0;
  std::vector<std::string> list;
  EXPECT_TRUE(read_value("x", at("\"a\""), &text).ok());
  EXPECT_TRUE(read_value("x", at("true"), &yes).ok());
  EXPECT_TRUE(read_value("x", at("[\"a\", \"b\"]"), &list).ok());
  EXPECT_TRUE(read_positive("x", at("7"), &number).ok());
  EXPECT_TRUE(read_word("x", at("\"down\""), "up", "down", &second).ok());
  EXPECT_TRUE(read_share("x", at("0.5"), 1, &share).ok());
  EXPECT_EQ(text, "a");
  EXPECT_TRUE(yes && second);
  EXPECT_EQ(number, 7);
  EXPECT_TRUE(read_count("x", at("0"), &count).ok());
  EXPECT_EQ(count, 0u);
  EXPECT_EQ(share, 0.5);
  EXPECT_THAT(list, ElementsAre("a", "b"));
  EXPECT_TRUE(read_share("x", at("1"), 1, &share).ok());
}

TEST_F(TomlValues, RefusesOtherTypesWithPlaceAndKey) {
  std::string text;
  bool yes = false;
  int32_t number = 0;
  double share = 0;
  std::vector<std::string> list;
  EXPECT_EQ(message(read_value("t.x", at("1"), &text)), "a.toml:2: t.x must be a string");
  EXPECT_EQ(message(read_value("x", at("1"), &yes)), "a.toml:2: x must be true or false");
  EXPECT_EQ(message(read_value("x", at("\"a\""), &list)), "a.toml:2: x must be a list of strings");
  EXPECT_EQ(message(read_value("x", at("[\"a\",\n1]"), &list)), "a.toml:3: x must be a list of strings");
  EXPECT_EQ(message(read_positive("x", at("0"), &number)), "a.toml:2: x must be a positive whole number");
  EXPECT_EQ(message(read_positive("x", at("4294967297"), &number)), "a.toml:2: x must be a positive whole number");
  size_t count = 0;
  EXPECT_EQ(message(read_count("x", at("-1"), &count)), "a.toml:2: x must be a whole number, at least 0");
  EXPECT_EQ(message(read_share("x", at("0.2"), 0.05, &share)), "a.toml:2: x must be from 0 to 0.05");
  EXPECT_EQ(message(read_share("x", at("nan"), 1, &share)), "a.toml:2: x must be from 0 to 1");
  EXPECT_EQ(message(read_share("x", at("\"1\""), 1, &share)), "a.toml:2: x must be from 0 to 1");
  EXPECT_EQ(message(read_word("x", at("\"a\""), "up", "down", &yes)), "a.toml:2: x must be \"up\" or \"down\"");
  EXPECT_EQ(message(unknown_key("x", at("1"))), "a.toml:2: unknown key x");
}

}  // namespace
}  // namespace bouquet::ivy
