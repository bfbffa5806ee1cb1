// The ids of one text, piece by piece: from a cache, or made for it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "tokenizer/id_cache.h"

namespace bouquet::tokenizer {

// Ids of one text on their way.
struct IdRun {
  static constexpr size_t kBlock = 64;  // pieces whose slots are fetched from memory at a time

  size_t enough;  // ids after which to stop
  IdCache& cache;
  std::vector<int32_t>& array;  // longer than the ids, so that those of a piece can be written without looking
  size_t size = 0;

  bool done() const { return size >= enough; }
  size_t missing() const { return enough - size; }

  void room_for(size_t more) {
    if (array.size() < size + more) array.resize(2 * (size + more));
  }

  void append(std::span<const int32_t> ids) {
    room_for(ids.size());
    std::copy(ids.begin(), ids.end(), array.data() + size);
    size += ids.size();
  }

  // Ids of `pieces` of `from`; false where it stopped before all were there. `maker` knows what to do about those that
  // the cache does not have: prepare(pieces, keys) may put into it what it will soon be asked for, make(piece) appends
  // the ids of one to this run and tells whether they are all.
  template <typename Maker>
  bool look_up(std::string_view from, std::span<const Piece> pieces, uint8_t kind, const Maker& maker) {
    std::array<IdCache::Key, 2 * kBlock> keys;  // of a block, and of the next, whose slots are on their way
    const auto fetch = [&](size_t first) {
      const std::span<const Piece> block = pieces.subspan(first, std::min(kBlock, pieces.size() - first));
      cache.fetch(from, block, kind, keys.data() + first % keys.size());
      return first + block.size();
    };
    size_t fetched = fetch(0), at = 0, prepared = 0;
    while (at < pieces.size() && !done()) {
      const size_t end = fetched;
      if (fetched < pieces.size()) fetched = fetch(fetched);
      while (at < end && !done()) {
        const IdCache::Key* const key = &keys[at % keys.size()];
        const std::span<const Piece> rest = pieces.subspan(at, end - at);
        if (const size_t known = append_known(from, rest, key); known > 0) {
          at += known;
        } else if (prepared <= at) {
          maker.prepare(rest, key);
          prepared = end;
        } else {
          append_new(from, pieces[at], *key, maker);
          ++at;
        }
      }
    }
    return at == pieces.size();
  }

  bool has(std::string_view from, const Piece& piece, const IdCache::Key& key) const {
    int32_t ids[IdCache::kMostIds];
    return cache.find(from, std::span(&piece, 1), &key, ids, ids + 1).pieces == 1;
  }

  // Stops at the first piece whose ids the cache does not have; returns how many it did have.
  size_t append_known(std::string_view from, std::span<const Piece> pieces, const IdCache::Key* keys) {
    room_for(pieces.size() * IdCache::kMostIds);
    int32_t* const begin = array.data();
    const IdCache::Found found = cache.find(from, pieces, keys, begin + size, begin + std::min(enough, array.size()));
    size = static_cast<size_t>(found.end - begin);
    return found.pieces;
  }

  template <typename Maker>
  void append_new(std::string_view from, const Piece& piece, const IdCache::Key& key, const Maker& maker) {
    if (piece.id >= 0) return append(std::span(&piece.id, 1));
    const size_t before = size;
    const bool all = maker.make(piece);
    if (!all) return;
    cache.put(key, text_of(from, piece.span), std::span(array).subspan(before, size - before));
  }
};

}  // namespace bouquet::tokenizer
