// Pairs of token ids -> the merge that joins them: a flat hash table, one cache line a look-up.
#pragma once

#include <cstdint>

#include "base/huge_pages.h"

namespace bouquet::tokenizer {

struct PairMerge {
  static constexpr uint32_t kNever = 0xFFFFFFFF;
  uint32_t rank = kNever;  // the lower, the earlier
  int32_t id = -1;         // of the token the two become
};

class PairTable {
 public:
  // Room for `count` pairs.
  explicit PairTable(size_t count = 0);

  // Of a pair set twice the last merge counts.
  void set(int32_t left, int32_t right, PairMerge merge);

  // rank kNever where nothing joins the two.
  PairMerge find(int32_t left, int32_t right) const {
    const uint64_t key = key_of(left, right);
    for (size_t at = slot_of(key);; at = (at + 1) & mask_) {
      const Slot& slot = slots_[at];
      if (slot.key == key) return slot.merge;
      if (slot.key == kEmpty) return {};
    }
  }

  // Lets what find() will read come from memory meanwhile.
  void fetch(int32_t left, int32_t right) const { __builtin_prefetch(&slots_[slot_of(key_of(left, right))]); }

 private:
  static constexpr uint64_t kEmpty = ~uint64_t{0};
  struct Slot {
    uint64_t key = kEmpty;
    PairMerge merge;
  };

  static uint64_t key_of(int32_t left, int32_t right) {
    return static_cast<uint64_t>(static_cast<uint32_t>(left)) << 32 | static_cast<uint32_t>(right);
  }
  size_t slot_of(uint64_t key) const { return (key * 0x9E3779B97F4A7C15) >> shift_; }

  HugeVector<Slot> slots_;  // a power of two, at most two thirds full
  size_t mask_ = 0;
  int shift_ = 0;
};

}  // namespace bouquet::tokenizer
