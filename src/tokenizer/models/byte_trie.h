// Strings -> values as a double-array trie over bytes: longest-match walks with one dependent load a byte.
//
//   ByteTrie trie({{"un", 1}, {"##able", 2}});
//   uint32_t node = trie.root();
//   while (i < text.size() && trie.step(&node, text[i])) { ...trie.value(node)... }
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace bouquet::tokenizer {

class ByteTrie {
 public:
  static constexpr int32_t kNone = -1;  // values are >= 0
  using Entry = std::pair<std::string_view, int32_t>;

  ByteTrie() : ByteTrie(std::vector<Entry>{}) {}
  // Of equal keys the last one counts.
  explicit ByteTrie(std::vector<Entry> entries);

  static constexpr uint32_t root() { return 0; }

  // Goes on to the child under `byte`; false (node unchanged) when there is none.
  bool step(uint32_t* node, char byte) const {
    const uint32_t child = nodes_[*node].base ^ static_cast<unsigned char>(byte);
    if (nodes_[child].parent != *node) return false;
    *node = child;
    return true;
  }

  // The value of the string that ends at `node`, or kNone.
  int32_t value(uint32_t node) const { return nodes_[node].value; }

  // The node under `text` from `node`; false when no key goes there.
  bool walk(std::string_view text, uint32_t* node) const;

  int32_t find(std::string_view key) const;

 private:
  struct Node {
    uint32_t base = 0;
    uint32_t parent = kFree;  // kFree: slot not used
    int32_t value = kNone;
  };
  static constexpr uint32_t kFree = 0xFFFFFFFF;

  std::vector<Node> nodes_;  // a multiple of 256, so that any child index is in range

  friend class ByteTrieBuilder;
};

}  // namespace bouquet::tokenizer
