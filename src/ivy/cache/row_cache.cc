// A list in order of use, and an index into it.
#include "ivy/cache/row_cache.h"

#include <utility>

namespace bouquet::ivy {
namespace {

constexpr size_t kContainers = 256;  // bytes of list node, index slot and headers

}  // namespace

// The key is held twice, by the list and by the index.
size_t RowCache::bytes_of(const RowKey& key, size_t row_size) {
  return kContainers + 2 * (key.ids.size() * sizeof(int32_t) + key.token_types.size()) + row_size * sizeof(float);
}

const std::vector<float>* RowCache::find(const RowKey& key) {
  const auto found = places_.find(key);
  if (found == places_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  return &found->second->row;
}

size_t RowCache::keep(const RowKey& key, std::span<const float> row) {
  const size_t bytes = bytes_of(key, row.size());
  if (bytes > most_bytes_ || places_.contains(key)) return 0;
  size_t gone = 0;
  for (; bytes_ + bytes > most_bytes_; ++gone) {
    const Entry& last = entries_.back();
    bytes_ -= bytes_of(last.key, last.row.size());
    places_.erase(last.key);
    entries_.pop_back();
  }
  entries_.push_front({key, {row.begin(), row.end()}});
  places_.emplace(key, entries_.begin());
  bytes_ += bytes;
  return gone;
}

}  // namespace bouquet::ivy
