// Builds the double array from the sorted keys. Children of a node share one block of 256 slots, and whole branches are
// placed one after the other, so that the far end of a walk stays within a page or two.
#include "tokenizer/models/byte_trie.h"

#include <algorithm>
#include <array>
#include <bit>

namespace bouquet::tokenizer {
namespace {

// A set of bytes.
class ByteSet {
 public:
  void add(uint32_t byte) { words_[byte / 64] |= uint64_t{1} << (byte % 64); }
  void add(const ByteSet& other) {
    for (size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
  }

  // { byte ^ mask }.
  ByteSet flipped(uint32_t mask) const {
    ByteSet result;
    for (size_t i = 0; i < words_.size(); ++i) result.words_[i ^ mask / 64] = flip(words_[i], mask % 64);
    return result;
  }

  // The lowest byte that is not in it, or 256.
  uint32_t first_absent() const {
    for (uint32_t i = 0; i < words_.size(); ++i) {
      if (~words_[i] != 0) return i * 64 + static_cast<uint32_t>(std::countr_one(words_[i]));
    }
    return 256;
  }

 private:
  // Bit i goes to i ^ mask: neighbouring groups of 1, 2, 4 ... bits change places.
  static uint64_t flip(uint64_t word, uint32_t mask) {
    constexpr uint64_t kLow[] = {0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F,
                                 0x00FF00FF00FF00FF, 0x0000FFFF0000FFFF, 0x00000000FFFFFFFF};
    for (uint32_t k = 0; k < 6; ++k) {
      const uint32_t shift = 1u << k;
      if ((mask & shift) != 0) word = (word & kLow[k]) << shift | (word >> shift & kLow[k]);
    }
    return word;
  }

  std::array<uint64_t, 4> words_ = {};
};

}  // namespace

// Slots are handed out block by block. A block that keeps failing is closed, which bounds the search.
class ByteTrieBuilder {
 public:
  ByteTrieBuilder(const std::vector<ByteTrie::Entry>& keys, HugeVector<ByteTrie::Node>* nodes)
      : keys_(keys), nodes_(*nodes) {}

  void build() {
    add_block();
    take(0);
    pending_ = {{0, 0, keys_.size(), 0}};
    while (!pending_.empty()) {
      const Range range = pending_.back();
      pending_.pop_back();
      place_children(range);
    }
  }

 private:
  struct Range {
    uint32_t node;
    size_t begin, end;  // keys with this node's prefix
    size_t depth;       // bytes of it
  };
  struct Block {
    ByteSet taken;  // slots
    ByteSet bases;  // that are some node's
    uint32_t free = 256;
    int failures = 0;
  };
  static constexpr int kMaxFailures = 12;

  void add_block() {
    open_.push_back(static_cast<uint32_t>(blocks_.size()));
    Block& block = blocks_.emplace_back();
    block.bases.add(ByteTrie::kFreeBase);
    block.bases.add(ByteTrie::kLeafBase);
    nodes_.resize(nodes_.size() + 256);
    for (uint32_t slot = 0; slot < 256; ++slot) {
      set(nodes_.size() - 256 + slot, ByteTrie::kNone, slot ^ ByteTrie::kFreeBase);
    }
  }

  void set(size_t node, int32_t value, uint32_t label) {
    nodes_[node].value_and_label = value * 256 + static_cast<int32_t>(label);
  }

  void take(uint32_t slot) {
    Block& block = blocks_[slot / 256];
    block.taken.add(slot % 256);
    block.free -= 1;
  }

  // Where in the block the children's base may be: 256 if nowhere.
  uint32_t base_in(const Block& block) const {
    if (block.free < labels_.size()) return 256;
    ByteSet blocked = block.bases;
    for (const unsigned char label : labels_) blocked.add(block.taken.flipped(label));
    return blocked.first_absent();
  }

  uint32_t find_base() {
    for (size_t i = 0; i < open_.size(); ++i) {
      const uint32_t base = base_in(blocks_[open_[i]]);
      if (base < 256) return open_[i] * 256 + base;
      if (++blocks_[open_[i]].failures > kMaxFailures) {
        open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(i));
        --i;
      }
    }
    add_block();
    return open_.back() * 256 + base_in(blocks_.back());
  }

  void place_children(const Range& range) {
    size_t begin = range.begin;
    while (begin < range.end && keys_[begin].first.size() == range.depth) {
      set(range.node, keys_[begin++].second, nodes_[range.node].value_and_label & 0xFF);
    }
    labels_.clear();
    starts_.clear();
    for (size_t i = begin; i < range.end; ++i) {
      const auto label = static_cast<unsigned char>(keys_[i].first[range.depth]);
      if (labels_.empty() || labels_.back() != label) {
        labels_.push_back(label);
        starts_.push_back(i);
      }
    }
    if (labels_.empty()) return;
    starts_.push_back(range.end);
    const uint32_t base = find_base();
    nodes_[range.node].base = base;
    blocks_[base / 256].bases.add(base % 256);
    for (size_t k = labels_.size(); k-- > 0;) {
      const uint32_t child = base ^ labels_[k];
      take(child);
      set(child, ByteTrie::kNone, labels_[k]);
      pending_.push_back({child, starts_[k], starts_[k + 1], range.depth + 1});
    }
  }

  const std::vector<ByteTrie::Entry>& keys_;
  HugeVector<ByteTrie::Node>& nodes_;
  std::vector<Range> pending_;  // nodes whose children have no place yet
  std::vector<uint32_t> open_;  // blocks still searched
  std::vector<Block> blocks_;
  std::vector<unsigned char> labels_;
  std::vector<size_t> starts_;
};

namespace {

// The first eight bytes as a number that sorts as they do.
uint64_t prefix_of(std::string_view key) {
  uint64_t prefix = 0;
  for (size_t i = 0; i < sizeof(prefix); ++i)
    prefix = prefix << 8 | (i < key.size() ? static_cast<unsigned char>(key[i]) : 0);
  return prefix;
}

// By key, equal keys as they came.
std::vector<ByteTrie::Entry> sorted(const std::vector<ByteTrie::Entry>& entries) {
  std::vector<std::pair<uint64_t, uint32_t>> order;
  order.reserve(entries.size());
  for (const ByteTrie::Entry& entry : entries)
    order.emplace_back(prefix_of(entry.first), static_cast<uint32_t>(order.size()));
  std::sort(order.begin(), order.end(), [&](const auto& a, const auto& b) {
    if (a.first != b.first) return a.first < b.first;
    const int by_key = entries[a.second].first.compare(entries[b.second].first);
    return by_key != 0 ? by_key < 0 : a.second < b.second;
  });
  std::vector<ByteTrie::Entry> result;
  result.reserve(entries.size());
  for (const auto& [prefix, index] : order) result.push_back(entries[index]);
  return result;
}

}  // namespace

ByteTrie::ByteTrie(const std::vector<Entry>& entries) { ByteTrieBuilder(sorted(entries), &nodes_).build(); }

bool ByteTrie::walk(std::string_view text, uint32_t* node) const {
  return std::all_of(text.begin(), text.end(), [&](char byte) { return step(node, byte); });
}

int32_t ByteTrie::find(std::string_view key) const {
  uint32_t node = root();
  return walk(key, &node) ? value(node) : kNone;
}

}  // namespace bouquet::tokenizer
