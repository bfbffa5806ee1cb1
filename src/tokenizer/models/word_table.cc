// Linear probing.
#include "tokenizer/models/word_table.h"

#include <bit>

namespace bouquet::tokenizer {

WordTable::WordTable(size_t count) {
  const size_t size = std::bit_ceil(count * 3 / 2 + 2);
  slots_.resize(size);
  mask_ = size - 1;
  shift_ = 64 - std::countr_zero(size);
}

void WordTable::set(std::string_view word, int32_t id) {
  const Key key = key_of(word, 0, word.size());
  size_t at = slot_of(key);
  while (slots_[at].length != 0) at = (at + 1) & mask_;
  slots_[at] = {key, static_cast<uint32_t>(word.size()), id};
}

}  // namespace bouquet::tokenizer
