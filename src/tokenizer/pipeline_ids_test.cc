// Byte-level BPE, whose words are looked up: the ids are those of encode(), however long a word, wherever the text is
// cut.
#include <random>
#include <thread>

#include "fmt/format.h"
#include "gtest/gtest.h"
#include "tokenizer/id_cache.h"
#include "tokenizer/pipeline.h"
#include "tokenizer/unicode/byte_alphabet.h"
#include "tokenizer/unicode/utf8_chars.h"

namespace bouquet::tokenizer {
namespace {

std::string in_alphabet(std::string_view bytes) {
  std::string result;
  for (const char byte : bytes) result += utf8_of(byte_to_char(static_cast<unsigned char>(byte)));
  return result;
}

std::string json_string(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

struct Merge {
  std::string left, right;
  int32_t id;
};

// Qwen2's shape over single bytes and `merges`.
std::unique_ptr<const Tokenizer> make(const std::vector<Merge>& merges) {
  std::string vocab, pairs;
  for (int byte = 0; byte < 256; ++byte) {
    vocab += fmt::format("{}{}:{}", byte == 0 ? "" : ",",
                         json_string(in_alphabet(std::string(1, static_cast<char>(byte)))), byte);
  }
  for (const Merge& merge : merges) {
    const std::string left = in_alphabet(merge.left), right = in_alphabet(merge.right);
    vocab += fmt::format(",{}:{}", json_string(left + right), merge.id);
    pairs += fmt::format("{}[{},{}]", pairs.empty() ? "" : ",", json_string(left), json_string(right));
  }
  auto made = Tokenizer::from_json(fmt::format(
      R"({{"added_tokens":[{{"id":900,"content":"<s>","special":true,"single_word":false,"lstrip":false,"rstrip":false,)"
      R"("normalized":false}}],"normalizer":{{"type":"NFC"}},"pre_tokenizer":{{"type":"ByteLevel",)"
      R"("add_prefix_space":false,"use_regex":true}},"model":{{"type":"BPE","vocab":{{{}}},"merges":[{}]}}}})",
      vocab, pairs));
  EXPECT_TRUE(made.ok()) << made.status();
  return *std::move(made);
}

const Tokenizer& tokenizer() {
  static const auto loaded = make({{"a", "b", 256},
                                   {" ", "ab", 257},
                                   {"ab", "ab", 258},
                                   {"\xE5", "\x8C", 259},
                                   {"\xE5\x8C", "\x97", 260},
                                   {"\xE5\x8C\x97", "\xE5", 261},
                                   {"\xC3", "\xA9", 262},
                                   {"\xC3\xA9", "a", 263}});
  return *loaded;
}

void expect_the_same(const Tokenizer& tokenizer, const std::string& text, const EncodeOptions& options) {
  Encoding encoding;
  std::vector<int32_t> ids;
  tokenizer.encode(text, options, &encoding);
  for (int round = 0; round < 2; ++round) {  // new, and known
    EXPECT_EQ(tokenizer.encode_ids(text, options, &ids), encoding.truncated);
    ASSERT_EQ(ids, encoding.ids) << text.substr(0, 200);
  }
}

std::string random_text(std::mt19937* random, size_t most) {
  static const std::vector<std::string> parts = {"ab", "abab", " ", " ab", "北", "京", "北京", "é",      "éa",
                                                 "か", "x",    "1", ",",   "'s", "\n", "<s>",  "e\u0301"};
  std::string text;
  for (size_t n = (*random)() % most; n > 0; --n) text += parts[(*random)() % parts.size()];
  return text;
}

TEST(PipelineIds, WordsAreAsEncoded) {
  std::mt19937 random(7);
  for (int round = 0; round < 600; ++round) {
    const std::string text = random_text(&random, round % 20 == 0 ? 9000 : 100);
    EncodeOptions options;
    options.max_length = round % 2 == 0 ? 0 : static_cast<int32_t>(random() % 60 + 1);
    options.literal_special_tokens = round % 3 == 0;
    ASSERT_NO_FATAL_FAILURE(expect_the_same(tokenizer(), text, options));
  }
}

TEST(PipelineIds, WordsOfManyParts) {
  std::mt19937 random(8);
  for (const size_t parts : {1, 2, 63, 64, 65, 127, 128, 129, 1000, 30000}) {
    std::string word;
    for (size_t i = 0; i < parts; ++i) word += random() % 3 == 0 ? "京" : random() % 2 == 0 ? "か" : "北";
    for (const int32_t most : {0, 1, 63, 64, 65, 500}) {
      ASSERT_NO_FATAL_FAILURE(expect_the_same(tokenizer(), "ab " + word + " ab", {.max_length = most}));
    }
  }
}

// Words of `start` and four letters that have one place in the cache, whichever of its tables they go to.
std::vector<std::string> words_of_one_place(const std::string& start) {
  constexpr uint32_t kPlaces = 1 << 16;
  const IdCache cache(1);
  std::vector<std::string> words;
  for (uint32_t i = 0, place = 0; i < 26 * 26 * 26 * 26; ++i) {
    std::string word = start;
    for (uint32_t letters = i, n = 0; n < 4; ++n, letters /= 26) word += static_cast<char>('a' + letters % 26);
    const Piece piece = {{0, static_cast<uint32_t>(word.size())}};
    IdCache::Key key;
    cache.fetch(word, std::span(&piece, 1), 0, &key);
    if (words.empty()) place = key.hash % kPlaces;
    if (key.hash % kPlaces == place) words.push_back(word);
  }
  return words;
}

TEST(PipelineIds, WordsThatPutEachOtherOut) {
  std::mt19937 random(9);
  for (const std::string start : {"", "x", "abababababababab"}) {  // four ids, more, and long words
    const std::vector<std::string> words = words_of_one_place(start);
    ASSERT_GE(words.size(), 3);
    for (int round = 0; round < 20; ++round) {
      std::string text;
      for (int n = 0; n < 100; ++n) text += words[random() % words.size()] + ",";
      ASSERT_NO_FATAL_FAILURE(expect_the_same(tokenizer(), text, {}));
    }
  }
}

TEST(PipelineIds, WorkStopsWithEnough) {
  std::string text;
  for (int i = 0; i < 100000; ++i) text += "ab, 北京 <s>";
  std::vector<int32_t> ids;
  const uint64_t before = bytes_tokenized();
  EXPECT_TRUE(tokenizer().encode_ids(text, {.max_length = 16}, &ids));
  EXPECT_EQ(ids.size(), 16);
  EXPECT_LT(bytes_tokenized() - before, 1000);
}

TEST(PipelineIds, ManyThreads) {
  std::vector<std::thread> threads;
  for (uint32_t seed = 0; seed < 4; ++seed) {
    threads.emplace_back([seed] {
      std::mt19937 random(seed);
      for (int round = 0; round < 100; ++round) expect_the_same(tokenizer(), random_text(&random, 300), {});
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// Then a token may hold text that its string does not show, and no word is cut.
TEST(PipelineIds, OneIdForTwoTokens) {
  const auto odd = make({{"\xC3", "\xA9", 256}, {"\xC3", "\xA8", 257}, {"a", "a", 300}, {"é", "è", 300}});
  std::vector<int32_t> ids;
  odd->encode_ids("éèaa", {}, &ids);
  EXPECT_EQ(ids, (std::vector<int32_t>{300, 300}));
}

}  // namespace
}  // namespace bouquet::tokenizer
