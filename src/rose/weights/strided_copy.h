// Puts a tensor's elements in order: row by row, without gaps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bouquet::rose {

// `element_size` is 1, 2, 4 or 8 bytes. The first element is that at the front of `from`, the next along dimension d
// `strides[d]` elements further on; all must lie within `from`. At least one dimension, and no empty one.
std::vector<std::byte> strided_copy(std::span<const std::byte> from, size_t element_size,
                                    const std::vector<int64_t>& shape, const std::vector<int64_t>& strides);

}  // namespace bouquet::rose
