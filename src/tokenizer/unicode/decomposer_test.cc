// Decomposition, canonical order and origins.
#include "tokenizer/unicode/decomposer.h"

#include <string>
#include <utility>

#include "gtest/gtest.h"

namespace bouquet::tokenizer {
namespace {

using Parts = std::vector<std::pair<char32_t, uint32_t>>;

Parts decompose(const std::u32string& text) {
  Decomposer decomposer;
  Parts parts;
  const auto emit = [&](char32_t code, uint32_t origin) { parts.emplace_back(code, origin); };
  for (uint32_t i = 0; i < text.size(); ++i) decomposer.add(text[i], i, emit);
  decomposer.flush(emit);
  return parts;
}

TEST(Decomposer, PartsShareAnOrigin) {
  EXPECT_EQ(decompose(U"a\u00E9b"), (Parts{{U'a', 0}, {U'e', 1}, {0x301, 1}, {U'b', 2}}));
  EXPECT_EQ(decompose(U"\uAC01"), (Parts{{0x1100, 0}, {0x1161, 0}, {0x11A8, 0}}));
}

TEST(Decomposer, MarksAreOrderedAndOriginsStay) {
  EXPECT_EQ(decompose(U"\u00E9\u0323"), (Parts{{U'e', 0}, {0x323, 1}, {0x301, 1}}));
  EXPECT_EQ(decompose(U"a\u0301\u0323"), (Parts{{U'a', 0}, {0x323, 1}, {0x301, 2}}));
}

TEST(Decomposer, LongRunsStayStable) {
  std::u32string text = U"a";
  for (int i = 0; i < 100; ++i) text += i % 2 ? U'\u0301' : U'\u0323';
  const Parts parts = decompose(text);
  ASSERT_EQ(parts.size(), 101);
  EXPECT_EQ(parts[50].first, char32_t{0x323});
  EXPECT_EQ(parts[51].first, char32_t{0x301});
}

}  // namespace
}  // namespace bouquet::tokenizer
