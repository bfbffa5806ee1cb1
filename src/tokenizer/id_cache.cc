// Two tables: for short texts pairs of slots that share a cache line, for longer ones slots of two lines.
#include "tokenizer/id_cache.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <algorithm>
#include <cstring>

namespace bouquet::tokenizer {
namespace {

uint64_t word_at(const char* from) {
  uint64_t word;
  std::memcpy(&word, from, sizeof(word));
  return word;
}

struct Masks {
  uint64_t low, high;
};

// The first `size` of 16 bytes.
constexpr std::array<Masks, 16> kMasks = [] {
  std::array<Masks, 16> masks{};
  for (uint64_t size = 1; size < masks.size(); ++size) {
    masks[size].low = size >= 8 ? ~uint64_t{0} : (uint64_t{1} << (8 * size)) - 1;
    masks[size].high = size <= 8 ? 0 : (uint64_t{1} << (8 * (size - 8))) - 1;
  }
  return masks;
}();

uint32_t mix(uint64_t low, uint64_t high) {
  const uint64_t product = (low ^ (high * 0x9E3779B97F4A7C15)) * 0xD6E8FEB86659FD93;
  return static_cast<uint32_t>((product ^ (product >> 29)) >> 20);
}

// `from`: 16 readable bytes; `size`: 1 to 15.
void make_short_key(const char* from, size_t size, uint8_t tag, IdCache::Key* key) {
  const uint64_t low = word_at(from) & kMasks[size].low;
  const uint64_t high = (word_at(from + 8) & kMasks[size].high) | static_cast<uint64_t>(tag) << 56;
  key->low = low;
  key->high = high;
  key->hash = mix(low, high);
  key->tag = tag;
  key->place = IdCache::Key::kShort;
}

#ifdef __SSE2__

constexpr std::array<int8_t, 16> kCounts = {4, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 2, 0, 1, 0};  // by which are negative

// Copies four ids, of which those behind the last are negative; returns how many there are.
int copy_ids(const int32_t* ids, int32_t* out) {
  const __m128i four = _mm_loadu_si128(reinterpret_cast<const __m128i*>(ids));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(out), four);
  return kCounts[static_cast<size_t>(_mm_movemask_ps(_mm_castsi128_ps(four)))];
}

#else

int copy_ids(const int32_t* ids, int32_t* out) {
  std::copy_n(ids, 4, out);
  return 4 - (ids[0] < 0) - (ids[1] < 0) - (ids[2] < 0) - (ids[3] < 0);
}

#endif

}  // namespace

void IdCache::fetch(std::string_view from, std::span<const Piece> pieces, uint8_t kind, Key* keys) const {
  const auto kind_bits = static_cast<uint8_t>(kind << 6);
  const size_t last = from.size() < 16 ? 0 : from.size() - 15;  // behind the places with 16 readable bytes
  for (const Piece& piece : pieces) {
    const size_t begin = piece.span.begin, size = piece.span.end - begin;
    if (size > kShortText || begin >= last || piece.id >= 0) {
      fetch_rarely(from, piece, kind_bits, keys);
    } else {
      make_short_key(from.data() + begin, size, static_cast<uint8_t>(size | kind_bits), keys);
      __builtin_prefetch(&short_pair(*keys));
    }
    ++keys;
  }
}

// Long texts, those too near the end of what may be read, and what is not kept.
void IdCache::fetch_rarely(std::string_view from, const Piece& piece, uint8_t kind_bits, Key* key) const {
  key->place = Key::kNowhere;
  if (!keeps(piece)) return;
  const std::string_view text = text_of(from, piece.span);
  char head[16] = {};
  std::memcpy(head, text.data(), std::min(text.size(), sizeof(head)));
  make_short_key(head, std::min(text.size(), kShortText), static_cast<uint8_t>(text.size() | kind_bits), key);
  if (text.size() <= kShortText) {
    __builtin_prefetch(&short_pair(*key));
    return;
  }
  uint64_t low = key->low, high = key->high;
  for (size_t end = 23; end < text.size() + 8; end += 8) {  // the last eight bytes may overlap those before
    low = (low ^ high) * 0x9E3779B97F4A7C15;
    high = word_at(text.data() + std::min(end, text.size()) - 8);
  }
  key->hash = mix(low, high);
  key->place = Key::kLong;
  __builtin_prefetch(&long_slot(*key));
  __builtin_prefetch(&long_slot(*key).tag);
}

IdCache::Found IdCache::find(std::string_view from, std::span<const Piece> pieces, const Key* keys, int32_t* out,
                             const int32_t* stop) const {
  size_t i = 0;
  for (; i < pieces.size() && out < stop; ++i) {
    const Key& key = keys[i];
    int32_t count = 0;
    if (key.place == Key::kShort) {
      const ShortPair& pair = short_pair(key);
      const auto differs = [&](const ShortSlot& slot) { return (slot.low ^ key.low) | (slot.high ^ key.high); };
      const bool first = differs(pair.slots[0]) == 0, second = differs(pair.slots[1]) == 0;
      if (!(first | second)) break;  // which of them it is, no branch could foresee
      count = copy_ids(pair.slots[second].ids.data(), out);
    }
    if (count == 0) count = find_long(key, text_of(from, pieces[i].span), out);
    if (count < 0) break;
    out += count;
  }
  return {i, out};
}

int32_t IdCache::find_long(const Key& key, std::string_view text, int32_t* out) const {
  if (key.place == Key::kNowhere) return -1;
  const LongSlot& slot = long_slot(key);
  if (slot.tag != key.tag || std::memcmp(slot.text, text.data(), text.size()) != 0) return -1;
  std::memcpy(out, slot.ids.data(), sizeof(slot.ids));
  return slot.count;
}

void IdCache::put(const Key& key, std::string_view text, std::span<const int32_t> ids) {
  if (key.place == Key::kNowhere || ids.size() > kMostIds) return;
  const bool fits_short = !ids.empty() && ids.size() <= kShortIds;
  if (key.place == Key::kShort) {
    ShortPair& pair = short_pairs_[key.hash & short_mask_];
    if (pair.slots[0].low != key.low || pair.slots[0].high != key.high) pair.slots[1] = pair.slots[0];
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
