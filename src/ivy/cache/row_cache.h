// Rows by what they were made of; those not asked for the longest go when there is no room. A plain container: no lock
// and no clock inside.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <span>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "tulip/client.h"

namespace bouquet::ivy {

// All that a row depends on. Compared in full: no two keys are taken for one because of a hash.
struct RowKey {
  uint64_t weights_fingerprint = 0;
  std::vector<int32_t> ids;
  std::vector<uint8_t> token_types;  // as in the chunk: may be empty
  tulip::OutputSpec spec;
  friend bool operator==(const RowKey&, const RowKey&) = default;

  template <class Hash>
  friend Hash AbslHashValue(Hash hash, const RowKey& key) {
    return Hash::combine(std::move(hash), key.weights_fingerprint, key.ids, key.token_types, key.spec.output,
                         key.spec.dimensions, key.spec.normalize);
  }
};

class RowCache {
 public:
  explicit RowCache(size_t most_bytes) : most_bytes_(most_bytes) {}

  // The row kept under the key, or null; valid until the next keep().
  const std::vector<float>* find(const RowKey& key);
  // Keeps the row, unless it is larger than all the room there is. Returns how many others had to go.
  size_t keep(const RowKey& key, std::span<const float> row);

  size_t bytes() const { return bytes_; }  // kept, with the containers' share
  size_t size() const { return places_.size(); }

 private:
  struct Entry {
    RowKey key;
    std::vector<float> row;
  };
  static size_t bytes_of(const RowKey& key, size_t row_size);

  const size_t most_bytes_;
  size_t bytes_ = 0;
  std::list<Entry> entries_;  // the last used first
  absl::flat_hash_map<RowKey, std::list<Entry>::iterator> places_;
};

}  // namespace bouquet::ivy
