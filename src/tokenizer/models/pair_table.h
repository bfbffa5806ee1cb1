// Pairs of token ids -> the merge that joins them: a flat hash table of eight bytes a slot, so that those of 150,000
// merges fit into two megabytes.
#pragma once

#include <cstdint>
#include <vector>

#include "base/huge_pages.h"

namespace bouquet::tokenizer {

class PairTable {
 public:
  static constexpr uint32_t kNever = (1 << 22) - 1;   // the rank of what nothing joins; ranks are below it
  static constexpr int32_t kMostIds = (1 << 21) - 1;  // ids are below it

  // Room for `count` pairs, of ranks below `count`.
  explicit PairTable(size_t count = 0);

  // Of a pair set twice the last merge counts. `rank`: the lower, the earlier. `id`: of the token the two become.
  void set(int32_t left, int32_t right, uint32_t rank, int32_t id);

  // kNever where nothing joins the two.
  uint32_t rank(int32_t left, int32_t right) const {
    const uint64_t key = key_of(left, right);
    for (size_t at = slot_of(key);; at = (at + 1) & mask_) {
      const uint64_t slot = slots_[at];
      if (slot >> kRankBits == key || slot == kEmpty) return static_cast<uint32_t>(slot & kNever);
    }
  }

  int32_t id(uint32_t rank) const { return ids_[rank]; }

 private:
  static constexpr int kRankBits = 22, kIdBits = 21;
  static constexpr uint64_t kEmpty = ~uint64_t{0};

  static uint64_t key_of(int32_t left, int32_t right) {
    return static_cast<uint64_t>(left) << kIdBits | static_cast<uint64_t>(right);
  }
  size_t slot_of(uint64_t key) const { return (key * 0x9E3779B97F4A7C15) >> shift_; }

  HugeVector<uint64_t> slots_;  // key and rank; a power of two, at most two thirds full
  std::vector<int32_t> ids_;    // by rank
  size_t mask_ = 0;
  int shift_ = 0;
};

}  // namespace bouquet::tokenizer
