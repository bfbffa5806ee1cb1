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

#include "base/huge_pages.h"

namespace bouquet::tokenizer {

class ByteTrie {
 public:
  static constexpr int32_t kNone = -1;
  static constexpr int32_t kMostValue = (1 << 23) - 1;  // values are 0 to this
  using Entry = std::pair<std::string_view, int32_t>;

  ByteTrie() : ByteTrie(std::vector<Entry>{}) {}
  // Of equal keys the last one counts.
  explicit ByteTrie(const std::vector<Entry>& entries);

  static constexpr uint32_t root() { return 0; }

  // Goes on to the child under `byte`; false (node unchanged) when there is none.
  bool step(uint32_t* node, char byte) const {
    const auto label = static_cast<unsigned char>(byte);
    const uint32_t child = nodes_[*node].base ^ label;
    if (static_cast<unsigned char>(nodes_[child].value_and_label) != label) return false;
    *node = child;
    return true;
  }

  // The value of the string that ends at `node`, or kNone.
  int32_t value(uint32_t node) const { return nodes_[node].value_and_label >> 8; }

  // The node under `text` from `node`; false when no key goes there.
  bool walk(std::string_view text, uint32_t* node) const;

  int32_t find(std::string_view key) const;

 private:
  // No two nodes with children have the same base, so a child is known by its label. Two bases of each block of 256
  // slots are not given out: nodes without children have the one, and slots that are free, and the root, are labelled
  // as if below the other.
  static constexpr uint32_t kFreeBase = 0, kLeafBase = 1;
  struct Node {
    uint32_t base = kLeafBase;
    int32_t value_and_label = 0;  // the label in the lowest 8 bits
  };

  HugeVector<Node> nodes_;  // a multiple of 256, so that any child index is in range

  friend class ByteTrieBuilder;
};

}  // namespace bouquet::tokenizer
