// Words of every length, in the middle and at the end of a text, with zero bytes.
#include "tokenizer/models/word_table.h"

#include <string>

#include "gtest/gtest.h"

namespace bouquet::tokenizer {
namespace {

TEST(WordTable, EveryLength) {
  const std::string letters = "abcdefghijklmnopqrstuvwxyz";
  WordTable table(WordTable::kLongest);
  for (uint32_t n = 1; n <= WordTable::kLongest; ++n) table.set(letters.substr(0, n), static_cast<int32_t>(n));
  for (uint32_t n = 1; n <= 20; ++n) {
    const int32_t expected = n <= WordTable::kLongest ? static_cast<int32_t>(n) : WordTable::kNone;
    EXPECT_EQ(table.find("--" + letters, {2, 2 + n}), expected);
    EXPECT_EQ(table.find("--" + letters.substr(0, n), {2, 2 + n}), expected);
    EXPECT_EQ(table.find("--" + letters, {3, 3 + n}), WordTable::kNone);
  }
}

TEST(WordTable, ZeroBytesCount) {
  WordTable table(2);
  table.set(std::string_view("a\0", 2), 1);
  EXPECT_EQ(table.find(std::string_view("a\0\0", 3), {0, 2}), 1);
  EXPECT_EQ(table.find(std::string_view("a\0\0", 3), {0, 1}), WordTable::kNone);
  EXPECT_EQ(table.find(std::string_view("a\0\0", 3), {0, 3}), WordTable::kNone);
}

}  // namespace
}  // namespace bouquet::tokenizer
