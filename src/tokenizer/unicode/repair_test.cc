// The same text as the base module makes, with the places.
#include "tokenizer/unicode/repair.h"

#include <random>

#include "base/utf8.h"
#include "gtest/gtest.h"

namespace bouquet::tokenizer {
namespace {

TEST(Repair, KeepsPlaces) {
  RepairedText repaired;
  repair_utf8("a\xE5\x8C\xC3\xA9\xFF", &repaired);
  EXPECT_EQ(repaired.text, "a\xEF\xBF\xBD\xC3\xA9\xEF\xBF\xBD");
  EXPECT_EQ(repaired.origins[1], 1);
  EXPECT_EQ(repaired.origins[4], 3);
  EXPECT_EQ(repaired.origins[6], 5);
  EXPECT_EQ(repaired.origins[9], 6);
}

TEST(Repair, AgreesWithBase) {
  std::mt19937 random(2);
  RepairedText repaired;
  const std::string_view bytes = "a\xC3\xA9\xE5\x8C\x97\xF0\x9F\x98\x80\xED\xA0\xF4\x90\xFF\x80\xE0";
  for (int round = 0; round < 5000; ++round) {
    std::string text;
    for (size_t n = random() % 12; n > 0; --n) text.push_back(bytes[random() % bytes.size()]);
    repair_utf8(text, &repaired);
    EXPECT_EQ(repaired.text, replace_invalid_utf8(text));
  }
}

}  // namespace
}  // namespace bouquet::tokenizer
