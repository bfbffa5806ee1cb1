// What is safe, and that added tokens take places away.
#include "tokenizer/boundaries.h"

#include <random>

#include "base/utf8.h"
#include "gtest/gtest.h"
#include "tokenizer/normalizers/bert_normalizer.h"
#include "tokenizer/normalizers/form_normalizer.h"
#include "tokenizer/normalizers/simple_normalizers.h"
#include "tokenizer/pre_tokenizers/bert_pre_tokenizer.h"
#include "tokenizer/pre_tokenizers/byte_level_pre_tokenizer.h"
#include "tokenizer/pre_tokenizers/class_pre_tokenizers.h"
#include "tokenizer/pre_tokenizers/metaspace_pre_tokenizer.h"
#include "tokenizer/pre_tokenizers/split_pre_tokenizer.h"
#include "tokenizer/pre_tokenizers/whitespace_pre_tokenizers.h"
#include "tokenizer/testing/split_words.h"
#include "tokenizer/unicode/normal_form.h"
#include "tokenizer/unicode/regex_classes.h"
#include "tokenizer/unicode/utf8_chars.h"

namespace bouquet::tokenizer {
namespace {

AddedTokens added(const std::string& content, bool lstrip) {
  simdjson::dom::parser parser;
  const std::string json = R"({"added_tokens":[{"id":0,"single_word":false,"rstrip":false,"normalized":false,)"
                           R"("special":true,"content":")" +
                           content + R"(","lstrip":)" + (lstrip ? "true" : "false") + "}]}";
  return *AddedTokens::from_json(*JsonObject::of(parser.parse(json).value(), ""), Vocabulary(), nullptr);
}

std::vector<size_t> safe_places(const AddedTokens& tokens, std::string_view text) {
  const BertNormalizer normalizer({});
  const BertPreTokenizer pre_tokenizer;
  const Boundaries boundaries(tokens, &normalizer, &pre_tokenizer);
  std::vector<size_t> places;
  for (size_t at = boundaries.next(text, 0); at < text.size(); at = boundaries.next(text, at + 1)) places.push_back(at);
  for (const size_t place : places) EXPECT_EQ(boundaries.previous(text, place), place);
  EXPECT_EQ(boundaries.previous(text, 0), 0);
  return places;
}

TEST(Boundaries, SafePlaces) {
  const AddedTokens none;
  EXPECT_EQ(safe_places(none, "ab cd"), (std::vector<size_t>{3}));
  EXPECT_EQ(safe_places(none, "ab,cd. \ne"), (std::vector<size_t>{3, 8}));
  EXPECT_EQ(safe_places(none, "\xE5\x8C\x97\xE4\xBA\xAC\xE3\x81\x8B"), (std::vector<size_t>{3}));
  EXPECT_EQ(safe_places(none,
                        "a_b\v"
                        "c\xCC\x81 \xCC\x81"),
            (std::vector<size_t>{}));
  EXPECT_EQ(safe_places(none, "a \xFFz \xC3"), (std::vector<size_t>{}));
}

TEST(Boundaries, WhatBecomesAMarkIsNoLetter) {
  for (const std::string mark : {"\uFF9E", "\uFF9F", "\uFE70", "\uFC63", "\u0E33", "\u0EB3", "\u037A"}) {
    EXPECT_EQ(safe_places(AddedTokens(), "a " + mark + " b"), (std::vector<size_t>{3 + mark.size()})) << mark;
  }
}

TEST(Boundaries, AddedTokensTakePlacesAway) {
  EXPECT_EQ(safe_places(added("x,y", false), "b,c d"), (std::vector<size_t>{4}));
  EXPECT_EQ(safe_places(added("x y", false), "b,c d"), (std::vector<size_t>{}));
  EXPECT_EQ(safe_places(added("d", true), "b,c d e"), (std::vector<size_t>{2, 6}));
  EXPECT_EQ(safe_places(added("\xE5\x8C\x97", false), "b,c d"), (std::vector<size_t>{4}));
}

TEST(Boundaries, NothingIsSafeWithoutPreTokenizer) {
  const Boundaries boundaries(AddedTokens(), nullptr, nullptr);
  EXPECT_EQ(boundaries.next("a b c", 0), 5);
  EXPECT_EQ(boundaries.previous("a b c", 5), 0);
}

TEST(Boundaries, NothingIsSafeWhereSpacesAreWrittenAndKept) {
  const BertNormalizer normalizer({});
  const ByteLevelPreTokenizer pre_tokenizer(false, true);
  EXPECT_TRUE(Boundaries(AddedTokens(), &normalizer, &pre_tokenizer).nowhere());
  EXPECT_FALSE(Boundaries(AddedTokens(), nullptr, &pre_tokenizer).nowhere());
}

// Else what is behind the letter could go to it, or it to that.
TEST(Boundaries, AfterLettersThatAreLettersInEveryForm) {
  const ByteLevelPreTokenizer pre_tokenizer(false, true);
  const Boundaries boundaries(AddedTokens(), nullptr, &pre_tokenizer);
  std::vector<FormChar> chars;
  for (char32_t code = 0x80; code < 0x110000; ++code) {
    const std::string letter = utf8_of(code);
    if (!is_valid_utf8(letter) || boundaries.next(letter + "\n", 1) != letter.size()) continue;
    for (const auto kind : {NormalForm::kNfc, NormalForm::kNfd, NormalForm::kNfkc, NormalForm::kNfkd}) {
      NormalForm::get(kind).rewrite(letter, &chars);
      const uint16_t last = RegexClasses::get().of(chars.back().code);
      ASSERT_NE(last & (kLetterClass | kNumberClass), 0) << std::hex << static_cast<uint32_t>(code);
    }
  }
}

TEST(Boundaries, BeforeASingleSpaceWhereSpacesBeginWords) {
  const AddedTokens none;
  const MetaspacePreTokenizer pre_tokenizer({});
  const Boundaries boundaries(none, nullptr, &pre_tokenizer);
  EXPECT_EQ(boundaries.next("ab cd", 1), 2);
  EXPECT_EQ(boundaries.next("ab  cd, e", 1), 7);
  const StripNormalizer strip(true, true);
  EXPECT_EQ(Boundaries(none, &strip, &pre_tokenizer).next("ab cd", 1), 5);
}

// Every safe place of a random text cuts its words as they are; `pre_tokenizer` leaves the text alone.
void check_safe_places(const PreTokenizer& pre_tokenizer, size_t least) {
  static const std::vector<std::string> parts = {
      "a",  "Zoo", "AB", "/",      "\u01C5", "ʰ",    "'s", " ",       "  ",     "\n", "\t",
      ".",  ",,",  "(",  "7",      "1234",   "½",    "é",  "e\u0301", "北京",   "か", "。",
      "，", "가",  "ﾞ",  "\u037A", "\u3000", "\x01", "_x", "\u0301",  "\u200d", "😀",  "\xFF"};
  const AddedTokens none;
  const Boundaries boundaries(none, nullptr, &pre_tokenizer);
  std::mt19937 random(6);
  size_t places = 0;
  for (int round = 0; round < 5000; ++round) {
    std::string text;
    for (size_t n = random() % 20; n > 0; --n) text += parts[random() % parts.size()];
    text = replace_invalid_utf8(text);
    const std::vector<std::string> whole = split_words(pre_tokenizer, text);
    for (size_t at = boundaries.next(text, 0); at < text.size(); at = boundaries.next(text, at + 1), ++places) {
      std::vector<std::string> halves = split_words(pre_tokenizer, text.substr(0, at));
      for (std::string& word : split_words(pre_tokenizer, text.substr(at))) halves.push_back(std::move(word));
      ASSERT_EQ(halves, whole) << text << " cut at " << at;
    }
  }
  EXPECT_GE(places, least);
}

TEST(Boundaries, AfterLettersWhereKnownPatternsCut) {
  for (const KnownPattern& pattern : known_patterns()) {
    SCOPED_TRACE(std::string(pattern.name));
    check_safe_places(KnownSplitPreTokenizer(pattern), pattern.rule == CutRule::kAfterLetter ? 4000 : 0);
  }
}

TEST(Boundaries, OfByteLevelAndSequences) {
  check_safe_places(ByteLevelPreTokenizer(false, true), 4000);
  check_safe_places(ByteLevelPreTokenizer(true, true), 100);
  std::vector<std::unique_ptr<const PreTokenizer>> parts;
  parts.push_back(std::make_unique<const PunctuationPreTokenizer>(SplitBehavior::kMergedWithPrevious));
  parts.push_back(std::make_unique<const DigitsPreTokenizer>(false));
  parts.push_back(std::make_unique<const ByteLevelPreTokenizer>(false, true));
  check_safe_places(SequencePreTokenizer(std::move(parts)), 4000);
}

TEST(Boundaries, AfterLettersButNotAtAddedTokens) {
  const KnownSplitPreTokenizer pre_tokenizer(kGpt2Pattern);
  const auto first = [&](const AddedTokens& tokens, std::string_view text) {
    return Boundaries(tokens, nullptr, &pre_tokenizer).next(text, 1);
  };
  EXPECT_EQ(first(AddedTokens(), "ab,cd e"), 2);
  EXPECT_EQ(first(added("<|x|>", false), "ab,cd e"), 2);
  EXPECT_EQ(first(added("b,c", false), "ab,cd e"), 5);
  EXPECT_EQ(first(AddedTokens(), "ab_cd1"), 6);
  EXPECT_EQ(first(AddedTokens(), "it's\uFF07s."), 8);
  const FormNormalizer normalizer(NormalForm::kNfd);
  EXPECT_EQ(Boundaries(AddedTokens(), &normalizer, &pre_tokenizer).next("\u00E9.", 1), 3);
}

}  // namespace
}  // namespace bouquet::tokenizer
