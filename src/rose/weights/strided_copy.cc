// One row after the other, a row being the last dimension.
#include "rose/weights/strided_copy.h"

#include <cstring>

namespace bouquet::rose {
namespace {

template <class Element>
void copy_row(const std::byte* from, size_t count, size_t stride, std::byte* to) {
  for (size_t i = 0; i < count; ++i) {
    std::memcpy(to + i * sizeof(Element), from + i * stride * sizeof(Element), sizeof(Element));
  }
}

auto row_copier(size_t element_size) {
  switch (element_size) {
    case 1:
      return copy_row<uint8_t>;
    case 2:
      return copy_row<uint16_t>;
    case 4:
      return copy_row<uint32_t>;
    default:
      return copy_row<uint64_t>;
  }
}

}  // namespace

std::vector<std::byte> strided_copy(std::span<const std::byte> from, size_t element_size,
                                    const std::vector<int64_t>& shape, const std::vector<int64_t>& strides) {
  const size_t rows_of = shape.size() - 1;  // dimensions that count rows
  const auto row = static_cast<size_t>(shape[rows_of]), stride = static_cast<size_t>(strides[rows_of]);
  size_t rows = 1;
  for (size_t d = 0; d < rows_of; ++d) rows *= static_cast<size_t>(shape[d]);
  std::vector<std::byte> out(rows * row * element_size);
  const auto copy = row_copier(element_size);
  std::vector<int64_t> index(rows_of);
  size_t at = 0;  // element the row begins with
  for (size_t r = 0; r < rows; ++r) {
    copy(from.data() + at * element_size, row, stride, out.data() + r * row * element_size);
    for (size_t d = rows_of; d-- > 0;) {  // to the next row: the last dimension goes on, a full one starts again
      at += static_cast<size_t>(strides[d]);
      if (++index[d] < shape[d]) break;
      at -= static_cast<size_t>(index[d]) * static_cast<size_t>(strides[d]);
      index[d] = 0;
    }
  }
  return out;
}

}  // namespace bouquet::rose
