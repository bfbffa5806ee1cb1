// The rule of `tokenizers`: the shorter text is kept whole if it is at most half, else both get half.
#include "tokenizer/truncation.h"

#include <algorithm>

namespace bouquet::tokenizer {

std::pair<size_t, size_t> longest_first(size_t first, size_t second, size_t budget, bool first_is_longer) {
  if (first + second <= budget) return {first, second};
  size_t shorter = std::min(first, second);
  size_t longer = shorter > budget ? shorter : std::max(shorter, budget - shorter);
  if (shorter + longer > budget) {
    shorter = budget / 2;
    longer = shorter + budget % 2;
  }
  return first_is_longer ? std::pair(longer, shorter) : std::pair(shorter, longer);
}

}  // namespace bouquet::tokenizer
