// The largest weight by entry, or the entries whose weight is not 0.
#include "ivy/sparse.h"

#include <map>
#include <span>

namespace bouquet::ivy {
namespace {

SparseVector from_tokens(std::span<const int32_t> ids, std::span<const float> weights,
                         const tokenizer::Tokenizer& tokenizer) {
  std::map<int32_t, float> largest;
  for (size_t i = 0; i < ids.size(); ++i) {
    if (weights[i] <= 0 || tokenizer.is_special(ids[i])) continue;
    float& weight = largest[ids[i]];
    weight = std::max(weight, weights[i]);
  }
  SparseVector vector;
  for (const auto& [id, weight] : largest) {
    vector.indices.push_back(id);
    vector.values.push_back(weight);
  }
  return vector;
}

SparseVector from_vocabulary(std::span<const float> weights) {
  SparseVector vector;
  for (size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] <= 0) continue;
    vector.indices.push_back(static_cast<int32_t>(i));
    vector.values.push_back(weights[i]);
  }
  return vector;
}

}  // namespace

void make_sparse(const Prepared& prepared, const tokenizer::Tokenizer& tokenizer, JobResult* result) {
  const std::span<const float> values = result->values;
  size_t token = 0;
  for (size_t i = 0; i < prepared.lengths.size(); ++i) {
    const auto length = static_cast<size_t>(prepared.lengths[i]), width = static_cast<size_t>(result->row_size);
    result->sparse.push_back(result->row_counts.empty() ? from_vocabulary(values.subspan(i * width, width))
                                                        : from_tokens(std::span(prepared.ids).subspan(token, length),
                                                                      values.subspan(token, length), tokenizer));
    token += length;
  }
  result->values.clear();
  result->row_counts.clear();
}

}  // namespace bouquet::ivy
