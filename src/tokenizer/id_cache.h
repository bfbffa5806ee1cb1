// The ids of short texts, by their bytes: what was tokenized once is not tokenized again.
//
// Bounded: a table of fixed size in which a new text takes the place of an older one, so a stream of ever new words
// costs one store each. Exact: a text is found only if all its bytes are the same. For one thread at a time; a pool
// hands caches out.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <vector>

#include "base/huge_pages.h"

namespace bouquet::tokenizer {

class IdCache {
 public:
  static constexpr size_t kLongestText = 60;  // bytes; longer ones are not kept
  static constexpr size_t kMostIds = 16;      // of one text

  // Slots for twice `short_pairs` texts of up to 15 bytes, a power of two, take 64 bytes a pair; the rest 2 MB.
  explicit IdCache(uint32_t short_pairs) : short_mask_(short_pairs - 1), short_pairs_(short_pairs) {}

  // A text to look for; made early, so that its slot is on the way from memory when it is asked for.
  struct Key {
    uint64_t low, high;  // bytes 0-7 and 8-15, zeros behind the end; of a short text the tag is the highest byte
    uint32_t hash;
    uint8_t tag;  // size and kind
  };

  // `text`: 1 to kLongestText bytes. `readable`: bytes that may be read from its start on. `kind`, 0 to 3, sets apart
  // what has other ids in another place.
  void make_key(std::string_view text, size_t readable, uint8_t kind, Key* key) const {
    const auto tag = static_cast<uint8_t>(text.size() | kind << 6);
    if (text.size() > kShortText || readable < 2 * sizeof(uint64_t)) return make_slow_key(text, tag, key);
    make_short_key(text.data(), text.size(), tag, key);
    __builtin_prefetch(&short_pairs_[key->hash & short_mask_]);
  }

  // Writes the text's ids to `out`, which has room for kMostIds, and returns how many; -1 when it is not there.
  int32_t find(const Key& key, std::string_view text, int32_t* out) const {
    if (text.size() > kShortText) return find_long(key, text, out);
    const ShortPair& pair = short_pairs_[key.hash & short_mask_];
    const ShortSlot& slot = pair.slots[pair.slots[1].low == key.low && pair.slots[1].high == key.high];
    if (slot.low != key.low || slot.high != key.high) return -1;
    std::memcpy(out, slot.ids.data(), sizeof(slot.ids));
    if (slot.ids[0] < 0) return find_long(key, text, out);
    return 4 - (slot.ids[1] < 0) - (slot.ids[2] < 0) - (slot.ids[3] < 0);
  }

  // Keeps up to kMostIds ids, all >= 0; does nothing with more.
  void put(const Key& key, std::string_view text, std::span<const int32_t> ids);

 private:
  static constexpr size_t kShortText = 15, kShortIds = 4;
  static constexpr uint32_t kLongSlots = 1 << 14;
  static constexpr int32_t kNoId = -1;  // the first: the ids are in the long slot

  struct ShortSlot {
    uint64_t low, high;  // as in Key; all zeros: free
    std::array<int32_t, kShortIds> ids;
  };
  // The newer text first.
  struct alignas(64) ShortPair {
    ShortSlot slots[2];
  };
  struct alignas(128) LongSlot {
    char text[kLongestText];
    uint16_t tag;  // 0: free
    uint16_t count;
    std::array<int32_t, kMostIds> ids;
  };

  static uint64_t first_bytes(const char* from, size_t count) {
    uint64_t word = 0;
    std::memcpy(&word, from, sizeof(word));
    return count >= sizeof(word) ? word : word & ((uint64_t{1} << (8 * count)) - 1);
  }

  // `from`: 16 readable bytes.
  static void make_short_key(const char* from, size_t size, uint8_t tag, Key* key) {
    const uint64_t low = first_bytes(from, size);
    const uint64_t high = first_bytes(from + 8, size > 8 ? size - 8 : 0) | static_cast<uint64_t>(tag) << 56;
    key->low = low;
    key->high = high;
    key->hash = mix(low, high);
    key->tag = tag;
  }

  static uint32_t mix(uint64_t low, uint64_t high) {
    const uint64_t product = (low ^ (high * 0x9E3779B97F4A7C15)) * 0xD6E8FEB86659FD93;
    return static_cast<uint32_t>((product ^ (product >> 29)) >> 20);
  }

  void make_slow_key(std::string_view text, uint8_t tag, Key* key) const;
  int32_t find_long(const Key& key, std::string_view text, int32_t* out) const;

  uint32_t short_mask_;
  HugeVector<ShortPair> short_pairs_;
  HugeVector<LongSlot> long_slots_ = HugeVector<LongSlot>(kLongSlots);
};

// Lends each caller a cache, the one given back last first.
class IdCachePool {
 public:
  // One is made at once, so that no first text waits for its memory.
  explicit IdCachePool(uint32_t short_pairs) : short_pairs_(short_pairs) {
    idle_.push_back(std::make_unique<IdCache>(short_pairs));
  }

  class Lease {
   public:
    explicit Lease(IdCachePool* pool) : pool_(pool), cache_(pool->take()) {}
    ~Lease() { pool_->give_back(std::move(cache_)); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    IdCache& operator*() const { return *cache_; }

   private:
    IdCachePool* pool_;
    std::unique_ptr<IdCache> cache_;
  };

 private:
  std::unique_ptr<IdCache> take();
  void give_back(std::unique_ptr<IdCache> cache);

  const uint32_t short_pairs_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<IdCache>> idle_;
};

}  // namespace bouquet::tokenizer
