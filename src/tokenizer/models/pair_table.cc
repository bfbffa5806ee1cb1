// Linear probing.
#include "tokenizer/models/pair_table.h"

#include <bit>

namespace bouquet::tokenizer {

PairTable::PairTable(size_t count) : ids_(count, -1) {
  const size_t size = std::bit_ceil(count * 3 / 2 + 2);
  slots_.assign(size, kEmpty);
  mask_ = size - 1;
  shift_ = 64 - std::countr_zero(size);
}

void PairTable::set(int32_t left, int32_t right, uint32_t rank, int32_t id) {
  const uint64_t key = key_of(left, right);
  size_t at = slot_of(key);
  while (slots_[at] != kEmpty && slots_[at] >> kRankBits != key) at = (at + 1) & mask_;
  slots_[at] = key << kRankBits | rank;
  ids_[rank] = id;
}

}  // namespace bouquet::tokenizer
