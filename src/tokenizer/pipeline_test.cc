// Cutting equals encoding in full and cutting then, and stops the work; ill-formed input; what is said of ids.
#include "tokenizer/pipeline.h"

#include <random>
#include <thread>

#include "fmt/format.h"
#include "gtest/gtest.h"
#include "tokenizer/testing/small_charsmap.h"

namespace bouquet::tokenizer {
namespace {

constexpr char kFile[] = R"({"added_tokens":[
  {"id":1,"content":"[CLS]","special":true,"single_word":false,"lstrip":false,"rstrip":false,"normalized":false},
  {"id":2,"content":"[SEP]","special":true,"single_word":false,"lstrip":true,"rstrip":true,"normalized":false},
  {"id":9,"content":"Tulip","special":false,"single_word":true,"lstrip":false,"rstrip":false,"normalized":true}],
  "normalizer":{"type":"BertNormalizer","clean_text":true,"handle_chinese_chars":true,"strip_accents":null,
    "lowercase":true},
  "pre_tokenizer":{"type":"BertPreTokenizer"},
  "post_processor":{"type":"BertProcessing","sep":["[SEP]",2],"cls":["[CLS]",1]},
  "model":{"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##","max_input_chars_per_word":100,
    "vocab":{"[UNK]":0,"[CLS]":1,"[SEP]":2,"a":3,"##a":4,"b":5,"##b":6,"北":7,",":8}}})";

const Tokenizer& tokenizer() {
  static const std::unique_ptr<const Tokenizer> loaded = *Tokenizer::from_json(kFile);
  return *loaded;
}

std::string random_text(std::mt19937* random, size_t most) {
  static const std::vector<std::string> parts = {"a", "ab", " ",    " ",      "\n",     "北",    "北北",
                                                 ",", "é",  "か",   "[SEP]",  " [CLS]", "tulip", "Tulip",
                                                 "_", "x",  "\xFF", "\u0301", "。",     "  "};
  std::string text;
  for (size_t n = (*random)() % most; n > 0; --n) text += parts[(*random)() % parts.size()];
  return text;
}

// What `options` must give, from the encoding without a limit.
Encoding cut(const Encoding& full, int32_t most, TruncationSide side) {
  Encoding result = full;
  const auto keep = static_cast<size_t>(std::max(0, most - 2));
  const size_t inner = full.ids.size() - 2;
  if (inner <= keep) return result;
  result.truncated = true;
  const auto begin = static_cast<std::ptrdiff_t>(side == TruncationSide::kRight ? 1 + keep : 1);
  const auto end = begin + static_cast<std::ptrdiff_t>(inner - keep);
  result.ids.erase(result.ids.begin() + begin, result.ids.begin() + end);
  result.offsets.erase(result.offsets.begin() + begin, result.offsets.begin() + end);
  return result;
}

TEST(Pipeline, CutEqualsFullEncodingCut) {
  std::mt19937 random(4);
  Encoding full, encoding;
  for (int round = 0; round < 1000; ++round) {
    const std::string text = random_text(&random, 2000);
    EncodeOptions options;
    tokenizer().encode(text, options, &full);
    for (const int32_t most : {2, 3, 7, 40, 150}) {
      for (const auto side : {TruncationSide::kRight, TruncationSide::kLeft}) {
        options.max_length = most;
        options.truncation_side = side;
        tokenizer().encode(text, options, &encoding);
        const Encoding expected = cut(full, most, side);
        ASSERT_EQ(encoding.ids, expected.ids) << text;
        ASSERT_EQ(encoding.offsets, expected.offsets) << text;
        ASSERT_EQ(encoding.truncated, expected.truncated);
      }
    }
  }
}

TEST(Pipeline, IdsAloneAreTheSame) {
  std::mt19937 random(5);
  Encoding encoding;
  std::vector<int32_t> ids;
  for (int round = 0; round < 3000; ++round) {
    const std::string text = random_text(&random, round % 2 == 0 ? 12 : 400);
    EncodeOptions options;
    options.max_length = round % 3 == 0 ? 0 : static_cast<int32_t>(random() % 60 + 1);
    options.add_special_tokens = random() % 2 == 0;
    options.literal_special_tokens = random() % 2 == 0;
    options.truncation_side = random() % 4 == 0 ? TruncationSide::kLeft : TruncationSide::kRight;
    tokenizer().encode(text, options, &encoding);
    EXPECT_EQ(tokenizer().encode_ids(text, options, &ids), encoding.truncated) << text;
    ASSERT_EQ(ids, encoding.ids) << text;
  }
}

TEST(Pipeline, IdsAloneFromManyThreadsAreTheSame) {
  std::vector<std::thread> threads;
  for (uint32_t seed = 0; seed < 4; ++seed) {
    threads.emplace_back([seed] {
      std::mt19937 random(seed);
      Encoding encoding;
      std::vector<int32_t> ids;
      for (int round = 0; round < 300; ++round) {
        const std::string text = random_text(&random, 100);
        tokenizer().encode(text, {}, &encoding);
        tokenizer().encode_ids(text, {}, &ids);
        EXPECT_EQ(ids, encoding.ids);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// A character map moves the offsets of all that follows a character it drops from the start of a piece.
TEST(Pipeline, CutsKeepOffsetsThatTheStartMoves) {
  const std::string file = fmt::format(
      R"({{"added_tokens":[{{"id":1,"content":"[X]","special":true,"single_word":false,"lstrip":false,"rstrip":false,)"
      R"("normalized":false}}],"normalizer":{{"type":"Precompiled","precompiled_charsmap":"{}"}},)"
      R"("pre_tokenizer":{{"type":"WhitespaceSplit"}},"model":{{"type":"Unigram","unk_id":0,)"
      R"("vocab":[["?",0],["[X]",0],["a",-1],["b",-2]]}}}})",
      kSmallCharsmap);
  const auto loaded = *Tokenizer::from_json(file);
  std::string words;
  while (words.size() < 5000) words += "ab a bb ";
  for (const std::string start : {"\x01", "a", "a [X]\x01", "\x01 [X]", "\xFF\u200B", "[X] \x01\x01"}) {
    for (const auto side : {TruncationSide::kRight, TruncationSide::kLeft}) {
      Encoding full, encoding;
      loaded->encode(start + words, {}, &full);
      loaded->encode(start + words, {.max_length = 200, .truncation_side = side}, &encoding);
      const size_t from = side == TruncationSide::kLeft ? full.ids.size() - 200 : 0;
      for (size_t i = 0; i < 200; ++i) EXPECT_EQ(encoding.offsets[i], full.offsets[from + i]) << start << i;
    }
  }
}

TEST(Pipeline, CuttingStopsTheWork) {
  for (const char* const part : {"ab a bb, ", "北北", "aab\n", "é a 北 。b"}) {
    std::string text;
    while (text.size() < 1'000'000) text += part;
    for (const auto side : {TruncationSide::kRight, TruncationSide::kLeft}) {
      const uint64_t before = bytes_tokenized();
      Encoding encoding;
      tokenizer().encode(text, {.max_length = 256, .truncation_side = side}, &encoding);
      EXPECT_EQ(encoding.ids.size(), 256);
      EXPECT_TRUE(encoding.truncated);
      EXPECT_LT(bytes_tokenized() - before, 5000);
    }
  }
}

TEST(Pipeline, PairsOfLongTextsGiveTheLongerTheOddToken) {
  const std::string a(2001, ','), b(2000, ',');
  Encoding encoding;
  tokenizer().encode_pair(a, b, {.max_length = 8}, &encoding);
  EXPECT_EQ(encoding.type_ids, (std::vector<uint8_t>{0, 0, 0, 0, 0, 1, 1, 1}));
  tokenizer().encode_pair(b, a, {.max_length = 8}, &encoding);
  EXPECT_EQ(encoding.type_ids, (std::vector<uint8_t>{0, 0, 0, 0, 1, 1, 1, 1}));
  tokenizer().encode_pair(a, a, {.max_length = 8}, &encoding);
  EXPECT_EQ(encoding.type_ids, (std::vector<uint8_t>{0, 0, 0, 0, 1, 1, 1, 1}));
}

TEST(Pipeline, LimitsBelowTheTemplate) {
  Encoding encoding;
  tokenizer().encode("a b", {.max_length = 1}, &encoding);
  EXPECT_EQ(encoding.ids, (std::vector<int32_t>{1}));
  EXPECT_TRUE(encoding.truncated);
}

TEST(Pipeline, IllFormedBytesAreReadAsReplacement) {
  Encoding encoding;
  tokenizer().encode("a\xFF\xE5\x8C b", {.add_special_tokens = false}, &encoding);
  EXPECT_EQ(encoding.ids, (std::vector<int32_t>{3, 5}));
  EXPECT_EQ(encoding.offsets, (std::vector<Offset>{{0, 1}, {5, 6}}));
}

TEST(Pipeline, WhatItSaysOfIds) {
  EXPECT_EQ(tokenizer().vocab_size(), 10);
  EXPECT_EQ(tokenizer().id_to_token(9), "tulip");  // as it is looked for
  EXPECT_EQ(tokenizer().token_to_id("Tulip"), 9);
  EXPECT_EQ(tokenizer().token_to_id("nothing"), std::nullopt);
  EXPECT_TRUE(tokenizer().is_special(2));
  EXPECT_FALSE(tokenizer().is_special(9));
  EXPECT_EQ(tokenizer().special_count(false), 2);
  EXPECT_EQ(tokenizer().special_count(true), 3);
  EXPECT_EQ(tokenizer().leading_special(), 1);
  EXPECT_EQ(tokenizer().trailing_special(), 2);
  EXPECT_EQ(tokenizer().decode(std::vector<int32_t>{1, 3, 99, 4}, true), "a ##a");
}

TEST(Pipeline, FingerprintFollowsTheFile) {
  std::string other = kFile;
  other.replace(other.find("\"lowercase\":true"), 16, "\"lowercase\":false");
  EXPECT_NE((*Tokenizer::from_json(other))->fingerprint(), tokenizer().fingerprint());
  std::string padded = kFile;
  padded.insert(1, "\"padding\":{\"x\":1},  ");
  EXPECT_EQ((*Tokenizer::from_json(padded))->fingerprint(), tokenizer().fingerprint());
}

}  // namespace
}  // namespace bouquet::tokenizer
