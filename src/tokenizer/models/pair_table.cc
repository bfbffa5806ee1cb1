// Linear probing.
#include "tokenizer/models/pair_table.h"

#include <bit>

namespace bouquet::tokenizer {

PairTable::PairTable(size_t count) {
  const size_t size = std::bit_ceil(count * 3 / 2 + 2);
  slots_.resize(size);
  mask_ = size - 1;
  shift_ = 64 - std::countr_zero(size);
}

void PairTable::set(int32_t left, int32_t right, PairMerge merge) {
  const uint64_t key = key_of(left, right);
  size_t at = slot_of(key);
  while (slots_[at].key != kEmpty && slots_[at].key != key) at = (at + 1) & mask_;
  slots_[at] = {key, merge};
}

}  // namespace bouquet::tokenizer
