// Pairs come out of decompositions; excluded ones do not.
#include "tokenizer/unicode/normal_form_data.h"

#include "gtest/gtest.h"

namespace bouquet::tokenizer {
namespace {

TEST(NormalFormData, Pairs) {
  const NormalFormData data = make_normal_form_data(true, false);
  EXPECT_EQ(data.pairs.size(), 940);
  EXPECT_EQ(data.composed(U'e', 0x301), char32_t{0xE9});
  EXPECT_EQ(data.composed(0x1E63, 0x307), char32_t{0x1E69});
  EXPECT_EQ(data.composed(U's', 0x1E9B), char32_t{0});
  EXPECT_EQ(data.composed(0x915, 0x93C), char32_t{0});
  EXPECT_EQ(data.composed(0x1100, 0x1161), char32_t{0xAC00});
  EXPECT_EQ(data.composed(0xAC00, 0x11A7), char32_t{0});
  EXPECT_EQ(data.composed(0xAC01, 0x11A8), char32_t{0});
}

TEST(NormalFormData, WhatChanges) {
  const NormalFormData nfc = make_normal_form_data(true, false);
  const NormalFormData nfkd = make_normal_form_data(false, true);
  EXPECT_FALSE(nfc.record(0xE9).changes);
  EXPECT_FALSE(nfc.record(0xFB01).changes);
  EXPECT_FALSE(nfc.record(0xAC00).changes);
  EXPECT_TRUE(nfc.record(0x301).changes);
  EXPECT_TRUE(nfc.record(0x212B).changes);
  EXPECT_TRUE(nfc.record(0x1161).changes);
  EXPECT_TRUE(nfkd.record(0xE9).changes);
  EXPECT_TRUE(nfkd.record(0xAC00).changes);
  EXPECT_FALSE(nfkd.record(0x301).changes);
  EXPECT_EQ(nfkd.decomposition(nfkd.record(0xFDFA)).size(), 18);
}

}  // namespace
}  // namespace bouquet::tokenizer
