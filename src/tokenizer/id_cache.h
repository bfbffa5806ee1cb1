// The ids of short texts, by their bytes: what was tokenized once is not tokenized again.
//
// Bounded: a table of fixed size in which a new text takes the place of an older one, so a stream of ever new words
// costs one store each. Exact: a text is found only if all its bytes are the same. For one thread at a time; a pool
// hands caches out.
//
//   cache.fetch(text, pieces, 0, keys);                       // asks for the memory that find() will read
//   IdCache::Found found = cache.find(text, pieces, keys, out, stop);
//   if (found.pieces < pieces.size()) { ... cache.put(keys[found.pieces], bytes, ids); }
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <vector>

#include "base/huge_pages.h"
#include "tokenizer/words.h"

namespace bouquet::tokenizer {

class IdCache {
 public:
  static constexpr size_t kLongestText = 60;  // bytes; longer ones are not kept
  static constexpr size_t kMostIds = 16;      // of one text

  // Slots for twice `short_pairs` texts of up to 15 bytes, a power of two, take 64 bytes a pair; the rest 2 MB.
  explicit IdCache(uint32_t short_pairs) : short_mask_(short_pairs - 1), short_pairs_(short_pairs) {}

  // Whether the cache may have it: no added token, and not too long.
  static bool keeps(const Piece& piece) { return piece.id < 0 && piece.span.end - piece.span.begin <= kLongestText; }

  // A text to look for.
  struct Key {
    uint64_t low, high;  // bytes 0-7 and 8-15, zeros behind the end; of a short text the tag is the highest byte
    uint32_t hash;
    uint8_t tag;  // size and kind
    enum Place : uint8_t { kShort, kLong, kNowhere } place;
  };

  // Makes the keys of pieces of `from`. `kind`, 0 to 3, sets apart what has other ids in another place.
  void fetch(std::string_view from, std::span<const Piece> pieces, uint8_t kind, Key* keys) const;

  struct Found {
    size_t pieces;
    int32_t* end;  // of the ids
  };
  // Writes the ids of pieces to `out` until one is not there, or `stop` is reached. `out` has room for kMostIds for
  // each piece.
  Found find(std::string_view from, std::span<const Piece> pieces, const Key* keys, int32_t* out,
             const int32_t* stop) const;

  // Keeps up to kMostIds ids, all >= 0; does nothing with more, or for a piece that keeps() does not hold for.
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

  const ShortPair& short_pair(const Key& key) const { return short_pairs_[key.hash & short_mask_]; }
  const LongSlot& long_slot(const Key& key) const { return long_slots_[key.hash % kLongSlots]; }
  void fetch_rarely(std::string_view from, const Piece& piece, uint8_t kind_bits, Key* key) const;
  int32_t find_long(const Key& key, std::string_view text, int32_t* out) const;

  uint32_t short_mask_;
  HugeVector<ShortPair> short_pairs_;
  HugeVector<LongSlot> long_slots_ = HugeVector<LongSlot>(kLongSlots);
};

// Lends each caller a cache, the one given back last first.
class IdCachePool {
 public:
  // `ready` caches are made at once, so that no first text waits for its memory.
  IdCachePool(uint32_t short_pairs, size_t ready) : short_pairs_(short_pairs) {
    while (idle_.size() < ready) idle_.push_back(std::make_unique<IdCache>(short_pairs));
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
