// Short words -> ids: a flat hash table with the words in its slots.
//
//   WordTable table(count);
//   table.set("the", 5);
//   table.find("in the end", {3, 6});   // 5
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/huge_pages.h"
#include "tokenizer/words.h"

namespace bouquet::tokenizer {

class WordTable {
 public:
  static constexpr size_t kLongest = 16;  // bytes of a word
  static constexpr int32_t kNone = -1;

  // Room for `count` words.
  explicit WordTable(size_t count = 0);

  // Of 1 to kLongest bytes.
  void set(std::string_view word, int32_t id);

  // Lets what find() will read come from memory meanwhile.
  void fetch(std::string_view text, Span word) const {
    const size_t length = word.end - word.begin;
    if (length <= kLongest) __builtin_prefetch(&slots_[slot_of(key_of(text, word.begin, length))]);
  }

  // The id of bytes [word.begin, word.end) of `text`, or kNone.
  int32_t find(std::string_view text, Span word) const {
    const size_t length = word.end - word.begin;
    if (length > kLongest) return kNone;
    const Key key = key_of(text, word.begin, length);
    for (size_t at = slot_of(key);; at = (at + 1) & mask_) {
      const Slot& slot = slots_[at];
      if (slot.key.low == key.low && slot.key.high == key.high && slot.length == length) return slot.id;
      if (slot.length == 0) return kNone;
    }
  }

 private:
  struct Key {
    uint64_t low = 0, high = 0;  // the word's bytes, then zeros
  };
  struct Slot {
    Key key;
    uint32_t length = 0;  // 0: empty
    int32_t id = kNone;
  };

  static Key key_of(std::string_view text, size_t begin, size_t length) {
    Key key;
    if (text.size() - begin < kLongest) {
      std::memcpy(&key, text.data() + begin, length);
      return key;
    }
    std::memcpy(&key, text.data() + begin, kLongest);
    if (length <= 8) {
      key.high = 0;
      key.low &= ~uint64_t{0} >> (64 - 8 * length);
    } else {
      key.high &= ~uint64_t{0} >> (128 - 8 * length);
    }
    return key;
  }

  size_t slot_of(const Key& key) const {
    const uint64_t mixed = (key.low * 0x9E3779B97F4A7C15) ^ (key.high + (key.low >> 32)) * 0xC2B2AE3D27D4EB4F;
    return (mixed * 0x9E3779B97F4A7C15) >> shift_;
  }

  HugeVector<Slot> slots_;  // a power of two, at most two thirds full
  size_t mask_ = 0;
  int shift_ = 0;
};

}  // namespace bouquet::tokenizer
