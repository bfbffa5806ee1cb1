// Builds the double array level by level from the sorted keys; children of a node share one block of 256 slots.
#include "tokenizer/models/byte_trie.h"

#include <algorithm>
#include <array>

namespace bouquet::tokenizer {

// Slots are handed out block by block. A block that keeps failing is closed, which bounds the search.
class ByteTrieBuilder {
 public:
  ByteTrieBuilder(const std::vector<ByteTrie::Entry>& keys, std::vector<ByteTrie::Node>* nodes)
      : keys_(keys), nodes_(*nodes) {}

  void build() {
    add_block();
    nodes_[0].parent = 0;
    free_[0] -= 1;
    std::vector<Range> level = {{0, 0, keys_.size()}};
    for (size_t depth = 0; !level.empty(); ++depth) {
      std::vector<Range> next;
      for (const Range& range : level) place_children(range, depth, &next);
      level = std::move(next);
    }
    // The root must be nobody's child: byte 0 of base 0 would lead from the root to itself.
    nodes_[0].parent = ByteTrie::kFree;
  }

 private:
  struct Range {
    uint32_t node;
    size_t begin, end;  // keys with this node's prefix
  };
  static constexpr int kMaxFailures = 12;

  void add_block() {
    open_.push_back(static_cast<uint32_t>(free_.size()));
    free_.push_back(256);
    failures_.push_back(0);
    nodes_.resize(nodes_.size() + 256);
  }

  bool fits(uint32_t base) const {
    return std::all_of(labels_.begin(), labels_.end(),
                       [&](unsigned char label) { return nodes_[base ^ label].parent == ByteTrie::kFree; });
  }

  uint32_t find_base() {
    for (size_t i = 0; i < open_.size(); ++i) {
      const uint32_t block = open_[i];
      if (free_[block] >= labels_.size()) {
        for (uint32_t low = 0; low < 256; ++low) {
          const uint32_t base = block * 256 + low;
          if (nodes_[base ^ labels_[0]].parent == ByteTrie::kFree && fits(base)) return base;
        }
      }
      if (++failures_[block] > kMaxFailures) {
        open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(i));
        --i;
      }
    }
    add_block();
    return static_cast<uint32_t>(nodes_.size() - 256);
  }

  void place_children(const Range& range, size_t depth, std::vector<Range>* next) {
    size_t begin = range.begin;
    while (begin < range.end && keys_[begin].first.size() == depth) nodes_[range.node].value = keys_[begin++].second;
    labels_.clear();
    std::vector<size_t> starts;
    for (size_t i = begin; i < range.end; ++i) {
      const auto label = static_cast<unsigned char>(keys_[i].first[depth]);
      if (labels_.empty() || labels_.back() != label) {
        labels_.push_back(label);
        starts.push_back(i);
      }
    }
    if (labels_.empty()) return;
    starts.push_back(range.end);
    const uint32_t base = find_base();
    nodes_[range.node].base = base;
    for (size_t k = 0; k < labels_.size(); ++k) {
      const uint32_t child = base ^ labels_[k];
      nodes_[child].parent = range.node;
      free_[child >> 8] -= 1;
      next->push_back({child, starts[k], starts[k + 1]});
    }
  }

  const std::vector<ByteTrie::Entry>& keys_;
  std::vector<ByteTrie::Node>& nodes_;
  std::vector<uint32_t> open_;  // blocks still searched
  std::vector<size_t> free_;    // free slots of each block
  std::vector<int> failures_;
  std::vector<unsigned char> labels_;
};

ByteTrie::ByteTrie(std::vector<Entry> entries) {
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.first < b.first; });
  ByteTrieBuilder(entries, &nodes_).build();
}

bool ByteTrie::walk(std::string_view text, uint32_t* node) const {
  return std::all_of(text.begin(), text.end(), [&](char byte) { return step(node, byte); });
}

int32_t ByteTrie::find(std::string_view key) const {
  uint32_t node = root();
  return walk(key, &node) ? value(node) : kNone;
}

}  // namespace bouquet::tokenizer
