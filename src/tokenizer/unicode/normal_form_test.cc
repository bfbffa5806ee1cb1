// What each form makes of a text, with its changes, and which stretches it looks at.
#include "tokenizer/unicode/normal_form.h"

#include <string>
#include <utility>

#include "gtest/gtest.h"
#include "tokenizer/unicode/utf8_chars.h"

namespace bouquet::tokenizer {
namespace {

using Chars = std::vector<std::pair<char32_t, int32_t>>;

std::string utf8(std::u32string_view text) {
  std::string bytes;
  for (const char32_t code : text) bytes += utf8_of(code);
  return bytes;
}

Chars rewritten(NormalForm::Kind kind, std::u32string_view text) {
  std::vector<FormChar> chars;
  NormalForm::get(kind).rewrite(utf8(text), &chars);
  Chars result;
  for (const FormChar& c : chars) result.emplace_back(c.code, c.change);
  return result;
}

std::vector<std::pair<size_t, size_t>> stretches(NormalForm::Kind kind, std::u32string_view text) {
  const std::string bytes = utf8(text);
  const NormalForm& form = NormalForm::get(kind);
  std::vector<std::pair<size_t, size_t>> result;
  for (Stretch part = form.next(bytes, 0); part.begin < bytes.size(); part = form.next(bytes, part.end)) {
    result.emplace_back(part.begin, part.end);
  }
  return result;
}

TEST(NormalForm, Composes) {
  EXPECT_EQ(rewritten(NormalForm::kNfc, U"e\u0301"), (Chars{{0xE9, -1}}));
  EXPECT_EQ(rewritten(NormalForm::kNfc, U"\u00E9\u0323"), (Chars{{0x1EB9, -1}, {0x301, 1}}));
  EXPECT_EQ(rewritten(NormalForm::kNfc, U"s\u0323\u0307"), (Chars{{0x1E69, -2}}));
  EXPECT_EQ(rewritten(NormalForm::kNfc, U"\u1112\u1161\u11AB"), (Chars{{0xD55C, -2}}));
  EXPECT_EQ(rewritten(NormalForm::kNfc, U"\u0301e"), (Chars{{0x301, 0}, {U'e', 0}}));
}

TEST(NormalForm, DoesNotComposeWhatIsBlockedOrExcluded) {
  EXPECT_EQ(rewritten(NormalForm::kNfc, U"e\u0334\u0301"), (Chars{{0xE9, -1}, {0x334, 0}}));
  EXPECT_EQ(rewritten(NormalForm::kNfc, U"e\u0300\u0301"), (Chars{{0xE8, -1}, {0x301, 0}}));
  EXPECT_EQ(rewritten(NormalForm::kNfc, U"\u0958"), (Chars{{0x915, 0}, {0x93C, 1}}));
  EXPECT_EQ(rewritten(NormalForm::kNfc, U"\u212B"), (Chars{{0xC5, 0}}));
}

TEST(NormalForm, Decomposes) {
  EXPECT_EQ(rewritten(NormalForm::kNfd, U"\u00E9\u0323"), (Chars{{U'e', 0}, {0x323, 0}, {0x301, 1}}));
  EXPECT_EQ(rewritten(NormalForm::kNfd, U"\uAC01"), (Chars{{0x1100, 0}, {0x1161, 1}, {0x11A8, 1}}));
  EXPECT_EQ(rewritten(NormalForm::kNfd, U"\uFB01"), (Chars{{0xFB01, 0}}));
}

TEST(NormalForm, CompatibilityFormsFoldMore) {
  EXPECT_EQ(rewritten(NormalForm::kNfkd, U"\uFB01\u1E9B"), (Chars{{U'f', 0}, {U'i', 1}, {U's', 0}, {0x307, 1}}));
  EXPECT_EQ(rewritten(NormalForm::kNfkc, U"\uFF76\uFF9E"), (Chars{{0x30AC, -1}}));
  EXPECT_EQ(rewritten(NormalForm::kNfkc, U"\uFF3A\U0001D7FF"), (Chars{{U'Z', 0}, {U'9', 0}}));
}

TEST(NormalForm, LooksOnlyAtWhatMayChange) {
  EXPECT_TRUE(stretches(NormalForm::kNfc, U"caf\u00E9 \u5317\u4EAC \uAC00 \u0915\u094D, abcdefghijklmnop").empty());
  EXPECT_EQ(stretches(NormalForm::kNfc, U"caffe\u0301 x o\u0308"),
            (std::vector<std::pair<size_t, size_t>>{{4, 7}, {10, 13}}));
  EXPECT_EQ(stretches(NormalForm::kNfc, U"\u05D0\u05BC\u05B8x"), (std::vector<std::pair<size_t, size_t>>{{0, 6}}));
  EXPECT_EQ(stretches(NormalForm::kNfd, U"a\uAC00b"), (std::vector<std::pair<size_t, size_t>>{{0, 4}}));
  EXPECT_EQ(stretches(NormalForm::kNfc, U"\uAC00\u11A8"), (std::vector<std::pair<size_t, size_t>>{{0, 6}}));
}

}  // namespace
}  // namespace bouquet::tokenizer
