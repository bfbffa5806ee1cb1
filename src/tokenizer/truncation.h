// How many tokens of each half of a pair are kept: the longest is cut first.
#pragma once

#include <cstddef>
#include <utility>

namespace bouquet::tokenizer {

// Tokens kept of texts of `first` and `second` tokens when `budget` fit in all. Over-long texts may be given as
// budget + 1; then, if both are and budget is odd, `first_is_longer` decides who gets the odd one.
std::pair<size_t, size_t> longest_first(size_t first, size_t second, size_t budget, bool first_is_longer);

}  // namespace bouquet::tokenizer
