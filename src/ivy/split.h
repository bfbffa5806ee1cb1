// Cuts a job's sequences into chunks by a token budget, in arrival order. A sequence above the budget has a chunk of
// its own. A plain function: no thread, no clock.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace bouquet::ivy {

// Sequences [first, first + count) of the job, which hold tokens [first_token, first_token + tokens).
struct ChunkRange {
  size_t first = 0;
  size_t count = 0;
  size_t first_token = 0;
  size_t tokens = 0;
  friend bool operator==(const ChunkRange&, const ChunkRange&) = default;
};

// `lengths` has one entry a sequence, each at least 1. A budget of 0 puts all into one chunk.
std::vector<ChunkRange> split_by_tokens(std::span<const int32_t> lengths, int32_t token_budget);

}  // namespace bouquet::ivy
