// One text for each rule of UAX #29.
#include "tokenizer/unicode/graphemes.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tokenizer/unicode/utf8_chars.h"

namespace bouquet::tokenizer {
namespace {

std::vector<std::string> clusters(const std::string& text) {
  std::vector<std::string> parts;
  for (size_t at = 0; at < text.size();) {
    const size_t end = grapheme_end(text, at);
    parts.push_back(text.substr(at, end - at));
    at = end;
  }
  return parts;
}

using Parts = std::vector<std::string>;

TEST(Graphemes, ControlsStandAlone) {
  EXPECT_EQ(clusters("a\r\nb\n\r"), (Parts{"a", "\r\n", "b", "\n", "\r"}));
  EXPECT_EQ(clusters("\t\u0301\u0301"), (Parts{"\t", "\u0301\u0301"}));
  EXPECT_EQ(clusters(std::string(1, '\0') + "\u0344\u0323"), (Parts{std::string(1, '\0'), "\u0344\u0323"}));
}

TEST(Graphemes, MarksAndJoinersJoin) {
  EXPECT_EQ(clusters("e\u0301\u0323x"), (Parts{"e\u0301\u0323", "x"}));
  EXPECT_EQ(clusters("a\u200Db"), (Parts{"a\u200D", "b"}));
  EXPECT_EQ(clusters("க\u0BBEக"), (Parts{"க\u0BBE", "க"}));  // SpacingMark
}

TEST(Graphemes, PrependsTakeWhatFollows) {
  EXPECT_EQ(clusters("\u0600a\u0301"), (Parts{"\u0600a\u0301"}));
  EXPECT_EQ(clusters("\u0600\n"), (Parts{"\u0600", "\n"}));
}

TEST(Graphemes, Hangul) {
  EXPECT_EQ(clusters("\u1112\u1161\u11AB\u1112"), (Parts{"\u1112\u1161\u11AB", "\u1112"}));
  EXPECT_EQ(clusters("가\u11AB가"), (Parts{"가\u11AB", "가"}));
  EXPECT_EQ(clusters("각\u1161"), (Parts{"각", "\u1161"}));
}

TEST(Graphemes, PictographsAndConjuncts) {
  EXPECT_EQ(clusters("❤\uFE0F\u200D❤a"), (Parts{"❤\uFE0F\u200D❤", "a"}));
  EXPECT_EQ(clusters("a\u200D❤"), (Parts{"a\u200D", "❤"}));
  EXPECT_EQ(clusters("क\u094Dक"), (Parts{"क\u094Dक"}));
  EXPECT_EQ(clusters("कक"), (Parts{"क", "क"}));
}

TEST(Graphemes, WhatStandsApartNeverMakesOneCluster) {
  std::vector<std::string> apart;
  for (char32_t code = 1; code < 0x10000; code = code == 0xD7FF ? 0xE000 : code + 1) {
    if (code % 7 == 0 || code < 0x3000) apart.push_back(stands_apart(code) ? utf8_of(code) : "");
  }
  std::erase(apart, "");
  ASSERT_GT(apart.size(), 9000u);
  for (size_t i = 0; i < apart.size(); ++i) {
    for (const size_t other : {i, (i * 31 + 7) % apart.size()}) {
      EXPECT_EQ(grapheme_end(apart[i] + apart[other], 0), apart[i].size()) << apart[i] << apart[other];
    }
  }
  for (const char32_t code : {0x301, 0x200D, 0x1100, 0x1161, 0x600, 0x0A}) EXPECT_FALSE(stands_apart(code));
}

}  // namespace
}  // namespace bouquet::tokenizer
