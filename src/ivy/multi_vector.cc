// Rows moved together.
#include "ivy/multi_vector.h"

#include <algorithm>

namespace bouquet::ivy {

void drop_vectors(const Prepared& prepared, JobResult* result) {
  const auto width = static_cast<ptrdiff_t>(result->row_size);
  auto from = result->values.cbegin();
  auto to = result->values.begin();
  size_t token = 0;
  for (size_t i = 0; i < prepared.lengths.size(); ++i) {
    int32_t rows = 0;
    for (int32_t t = 0; t < prepared.lengths[i]; ++t, ++token, from += width) {
      if (!prepared.kept[token]) continue;
      to = std::copy(from, from + width, to);
      ++rows;
    }
    result->row_counts[i] = rows;
  }
  result->values.erase(to, result->values.end());
}

}  // namespace bouquet::ivy
