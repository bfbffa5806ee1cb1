// The trie against a std::map, with keys of every byte.
#include "tokenizer/models/byte_trie.h"

#include <map>
#include <random>
#include <string>

#include "gtest/gtest.h"

namespace bouquet::tokenizer {
namespace {

TEST(ByteTrie, EmptyFindsNothing) {
  const ByteTrie trie;
  EXPECT_EQ(trie.find(""), ByteTrie::kNone);
  EXPECT_EQ(trie.find("a"), ByteTrie::kNone);
  EXPECT_EQ(trie.find(std::string(1, '\0')), ByteTrie::kNone);
}

TEST(ByteTrie, PrefixesAreNotKeys) {
  const ByteTrie trie({{"able", 3}, {"ab", 1}, {"able", 4}});
  EXPECT_EQ(trie.find("ab"), 1);
  EXPECT_EQ(trie.find("abl"), ByteTrie::kNone);
  EXPECT_EQ(trie.find("able"), 4);
  EXPECT_EQ(trie.find("ables"), ByteTrie::kNone);
}

TEST(ByteTrie, AgreesWithMap) {
  std::mt19937 random(1);
  std::map<std::string, int32_t> map;
  for (int i = 0; i < 20000; ++i) {
    std::string key;
    for (size_t n = random() % 7; n > 0; --n) key.push_back(static_cast<char>(random() % (i % 2 ? 256 : 4)));
    map[key] = i;
  }
  std::vector<ByteTrie::Entry> entries(map.begin(), map.end());
  const ByteTrie trie(entries);
  for (const auto& [key, value] : map) EXPECT_EQ(trie.find(key), value);
  for (int i = 0; i < 20000; ++i) {
    std::string key;
    for (size_t n = random() % 6; n > 0; --n) key.push_back(static_cast<char>(random() % 256));
    const auto found = map.find(key);
    EXPECT_EQ(trie.find(key), found == map.end() ? ByteTrie::kNone : found->second);
  }
}

}  // namespace
}  // namespace bouquet::tokenizer
