// Two tables: for short texts pairs of slots that share a cache line, for longer ones slots of two lines.
#include "tokenizer/id_cache.h"

#include <algorithm>

namespace bouquet::tokenizer {

// Of long texts, and of those too near the end of what may be read.
void IdCache::make_slow_key(std::string_view text, uint8_t tag, Key* key) const {
  char head[16] = {};
  std::memcpy(head, text.data(), std::min(text.size(), sizeof(head)));
  make_short_key(head, std::min(text.size(), kShortText), tag, key);
  if (text.size() <= kShortText) {
    __builtin_prefetch(&short_pairs_[key->hash & short_mask_]);
    return;
  }
  uint64_t low = key->low, high = key->high;
  for (size_t end = 23; end < text.size() + 8; end += 8) {  // the last eight bytes may overlap those before
    low = (low ^ high) * 0x9E3779B97F4A7C15;
    high = first_bytes(text.data() + std::min(end, text.size()) - 8, 8);
  }
  key->hash = mix(low, high);
  __builtin_prefetch(&long_slots_[key->hash % kLongSlots]);
  __builtin_prefetch(&long_slots_[key->hash % kLongSlots].tag);
}

int32_t IdCache::find_long(const Key& key, std::string_view text, int32_t* out) const {
  const LongSlot& slot = long_slots_[key.hash % kLongSlots];
  if (slot.tag != key.tag || std::memcmp(slot.text, text.data(), text.size()) != 0) return -1;
  std::memcpy(out, slot.ids.data(), sizeof(slot.ids));
  return slot.count;
}

void IdCache::put(const Key& key, std::string_view text, std::span<const int32_t> ids) {
  if (ids.size() > kMostIds) return;
  const bool fits_short = !ids.empty() && ids.size() <= kShortIds;
  if (text.size() <= kShortText) {
    ShortPair& pair = short_pairs_[key.hash & short_mask_];
    pair.slots[1] = pair.slots[0];
    pair.slots[0] = {key.low, key.high, {kNoId, kNoId, kNoId, kNoId}};
    if (fits_short) std::copy(ids.begin(), ids.end(), pair.slots[0].ids.begin());
    if (fits_short) return;
  }
  LongSlot& slot = long_slots_[key.hash % kLongSlots];
  std::memcpy(slot.text, text.data(), text.size());
  slot.tag = key.tag;
  slot.count = static_cast<uint16_t>(ids.size());
  std::copy(ids.begin(), ids.end(), slot.ids.begin());
}

std::unique_ptr<IdCache> IdCachePool::take() {
  const std::lock_guard lock(mutex_);
  if (idle_.empty()) return std::make_unique<IdCache>(short_pairs_);
  std::unique_ptr<IdCache> cache = std::move(idle_.back());
  idle_.pop_back();
  return cache;
}

void IdCachePool::give_back(std::unique_ptr<IdCache> cache) {
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(cache));
}

}  // namespace bouquet::tokenizer
