// Greedy: a chunk is closed when the next sequence would carry it over the budget.
#include "ivy/split.h"

namespace bouquet::ivy {

std::vector<ChunkRange> split_by_tokens(std::span<const int32_t> lengths, int32_t token_budget) {
  std::vector<ChunkRange> chunks;
  const auto budget = static_cast<size_t>(token_budget > 0 ? token_budget : INT32_MAX);
  for (size_t i = 0; i < lengths.size(); ++i) {
    const auto length = static_cast<size_t>(lengths[i]);
    if (chunks.empty()) {
      chunks.push_back({i, 0, 0, 0});
    } else if (chunks.back().tokens + length > budget) {
      const ChunkRange& last = chunks.back();
      chunks.push_back({i, 0, last.first_token + last.tokens, 0});
    }
    ++chunks.back().count;
    chunks.back().tokens += length;
  }
  return chunks;
}

}  // namespace bouquet::ivy
