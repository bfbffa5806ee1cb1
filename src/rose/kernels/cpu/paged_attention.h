// Causal attention over keys and values in pages (kernels.h), templates over a Simd level. A block is a panel: of keys
// [kv_heads][head_dim][16 tokens], of values [kv_heads][head_dim / 16][16 tokens][16], so that tiles multiply with the
// pages as they lie. Sums run in the order of attention.h: the bits are the same.
#pragma once

#include "rose/kernels/cpu/attention.h"

namespace bouquet::rose::cpu {
namespace {

static_assert(kBlockTokens == kPanel);

// Floats of one head's keys, or values, in a block.
inline int64_t head_values(const HeadShape& shape) { return block_values(shape) / shape.kv_heads; }

inline int sequence_of(const AttentionArgs& a, int token) {
  int sequence = 0;
  while (a.cu_seqlens[sequence + 1] <= token) ++sequence;
  return sequence;
}

// One token's keys and values into its lane of its block.
inline void store_token(const AttentionArgs& a, int token) {
  const int sequence = sequence_of(a, token), dim = a.shape.head_dim;
  const int position = a.pages.past[sequence] + token - a.cu_seqlens[sequence], lane = position % kPanel;
  const int64_t block = a.pages.tables[int64_t{sequence} * a.pages.table_width + position / kPanel];
  const float* key = a.qkv.f32_row(token) + a.shape.query_width();
  const float* value = key + a.shape.kv_heads * dim;
  for (int head = 0; head < a.shape.kv_heads; ++head, key += dim, value += dim) {
    const int64_t at = block * block_values(a.shape) + head * head_values(a.shape);
    float* keys = a.pages.keys + at;
    float* values = a.pages.values + at;
    for (int i = 0; i < dim; ++i) {
      keys[i * kPanel + lane] = key[i];
      values[(i / kPanel * kPanel + lane) * kPanel + i % kPanel] = value[i];
    }
  }
}

inline void store(const AttentionArgs& a, Worker& worker) {
  for (int64_t token = worker.claim(); token < a.live->tokens; token = worker.claim()) {
    store_token(a, static_cast<int>(token));
  }
}

// One head of one sequence.
struct PagedHead {
  const float* keys;     // of block 0
  const float* values;   // likewise
  int64_t stride;        // floats from block to block
  const int32_t* table;  // the sequence's blocks
  int dim;
  int width;      // dim rounded up to a panel
  float* scores;  // [kTileRows][keys]
  float* out;     // [kTileRows][width]
};

// `rows` queries from position `row0` on; q and y are the head's part of the first one's rows.
template <class S>
void attend_paged_rows(const AttentionArgs& a, const PagedHead& h, const float* q, int row0, int rows, float* y) {
  const TileKernel<float> kernel = tile_of<S, false, float>(rows);
  const int length = row0 + rows, first = most(0, row0 - a.left) / kPanel, blocks = ceil_div(length, kPanel);
  const int base = first * kPanel, keys = (blocks - first) * kPanel;
  for (int block = first; block < blocks; ++block) {
    kernel(q, a.qkv.stride, h.keys + h.table[block] * h.stride, 0, h.dim, h.scores + (block - first) * kPanel, keys,
           false);
  }
  float inverse[S::kTileRows];
  for (int r = 0; r < rows; ++r) {
    const Span span{most(0, row0 + r - a.left) - base, row0 + r + 1 - base};
    inverse[r] = softmax_row<S>(h.scores + int64_t{r} * keys, span, keys, a.scale);
  }
  for (int block = first; block < blocks; ++block) {
    const int live = least(kPanel, length - block * kPanel);  // what lies behind may be anything
    for (int panel = 0; panel < h.width / kPanel; ++panel) {
      kernel(h.scores + (block - first) * kPanel, keys,
             h.values + h.table[block] * h.stride + int64_t{panel} * kPanel * kPanel, 0, live, h.out + panel * kPanel,
             h.width, block > first);
    }
  }
  for (int r = 0; r < rows; ++r) scale_row(h.out + r * h.width, inverse[r], h.dim, y + r * a.y.stride);
}

// A tile's queries of one head: rows [row0, row0 + rows) of the batch's part of the sequence.
template <class S>
void attend_pages(const AttentionArgs& a, int sequence, int head, int row0, int rows, float* scratch) {
  const int dim = a.shape.head_dim, kv_head = head / (a.shape.heads / a.shape.kv_heads);
  const int position = a.pages.past[sequence] + row0, token = a.cu_seqlens[sequence] + row0;
  const int64_t at = kv_head * head_values(a.shape), longest = ceil_div(position + rows, kPanel) * kPanel;
  const PagedHead h{.keys = a.pages.keys + at,
                    .values = a.pages.values + at,
                    .stride = block_values(a.shape),
                    .table = a.pages.tables + int64_t{sequence} * a.pages.table_width,
                    .dim = dim,
                    .width = ceil_div(dim, kPanel) * kPanel,
                    .scores = scratch,
                    .out = scratch + S::kTileRows * longest};
  attend_paged_rows<S>(a, h, a.qkv.f32_row(token) + head * dim, position, rows, a.y.f32_row(token) + head * dim);
}

// Pieces are (sequence, head, tile of the queries), sequence by sequence.
template <class S>
void paged_attention(const AttentionArgs& a, Worker& worker, float* scratch) {
  int64_t first = 0, piece = worker.claim();
  for (int sequence = 0; sequence < a.live->sequences; ++sequence) {
    const int length = a.cu_seqlens[sequence + 1] - a.cu_seqlens[sequence];
    const int64_t pieces = int64_t{a.shape.heads} * ceil_div(length, S::kTileRows);
    for (; piece < first + pieces; piece = worker.claim()) {
      const int head = static_cast<int>((piece - first) % a.shape.heads);
      const int row0 = static_cast<int>((piece - first) / a.shape.heads) * S::kTileRows;
      attend_pages<S>(a, sequence, head, row0, least(S::kTileRows, length - row0), scratch);
    }
    first += pieces;
  }
}

}  // namespace
}  // namespace bouquet::rose::cpu
