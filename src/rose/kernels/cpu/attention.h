// Ragged attention, templates over a Simd level: per sequence and head the keys and values are repacked into panels,
// then a few query rows at a time compute all their scores, an exact softmax, and the weighted sum of values, all in
// cache. Every row's arithmetic depends on its own sequence alone.
#pragma once

#include "rose/kernels/cpu/gemm.h"

namespace bouquet::rose::cpu {
namespace {

// One head of one sequence: where its rows are and where its repacked copies lie.
struct Head {
  const float* q;  // first row; rows `stride` apart
  const float* k;
  const float* v;
  int64_t stride;
  int length;       // tokens
  int dim;          // head_dim
  int keys;         // length rounded up to a panel
  int width;        // dim rounded up to a panel
  float* packed_k;  // [keys / 16][dim][16]
  float* packed_v;  // [width / 16][length][16]
  float* scores;    // [kTileRows][keys]
  float* out;       // [kTileRows][width]
};

inline void pack_keys(const Head& h) {
  for (int panel = 0; panel < h.keys / kPanel; ++panel) {
    float* to = h.packed_k + int64_t{panel} * h.dim * kPanel;
    const int live = least(kPanel, h.length - panel * kPanel);
    for (int j = 0; j < live; ++j) {
      const float* row = h.k + int64_t{panel * kPanel + j} * h.stride;
      for (int i = 0; i < h.dim; ++i) to[i * kPanel + j] = row[i];
    }
    for (int j = live; j < kPanel; ++j) {
      for (int i = 0; i < h.dim; ++i) to[i * kPanel + j] = 0;
    }
  }
}

inline void pack_values(const Head& h) {
  for (int panel = 0; panel < h.width / kPanel; ++panel) {
    float* to = h.packed_v + int64_t{panel} * h.length * kPanel;
    const int live = least(kPanel, h.dim - panel * kPanel);
    for (int t = 0; t < h.length; ++t) {
      const float* row = h.v + t * h.stride + panel * kPanel;
      for (int i = 0; i < live; ++i) to[t * kPanel + i] = row[i];
      for (int i = live; i < kPanel; ++i) to[t * kPanel + i] = 0;
    }
  }
}

// scores[0, keys) -> exp(scale * (score - max)) with zeros past `length`; returns 1 / their sum.
template <class S>
float softmax_row(float* scores, int length, int keys, float scale) {
  for (int i = length; i < keys; ++i) scores[i] = scores[0];
  typename S::V top = S::load(scores);
  for (int i = S::kLanes; i < keys; i += S::kLanes) top = S::max(top, S::load(scores + i));
  const typename S::V shift = S::set1(S::top(top));
  const typename S::V factor = S::set1(scale);
  typename S::V sum = S::zero();
  int i = 0;
  for (; i + S::kLanes <= length; i += S::kLanes) {
    const typename S::V e = vector_exp<S>(S::mul(factor, S::sub(S::load(scores + i), shift)));
    S::store(scores + i, e);
    sum = S::add(sum, e);
  }
  if (i < length) {
    S::store(scores + i, vector_exp<S>(S::mul(factor, S::sub(S::load(scores + i), shift))));
    for (int j = length; j < i + S::kLanes; ++j) scores[j] = 0;
    sum = S::add(sum, S::load(scores + i));
  }
  return 1.0f / S::sum(sum);
}

// Query rows [row0, row0 + rows), at most kTileRows.
template <class S>
void attend_rows(const Head& h, int row0, int rows, float scale, float* y, int64_t ldy) {
  const TileKernel<float> kernel = tile_of<S, false, float>(rows);
  for (int panel = 0; panel < h.keys / kPanel; ++panel) {
    kernel(h.q + row0 * h.stride, h.stride, h.packed_k + int64_t{panel} * h.dim * kPanel, 0, h.dim,
           h.scores + panel * kPanel, h.keys, false);
  }
  float inverse[S::kTileRows];
  for (int r = 0; r < rows; ++r) inverse[r] = softmax_row<S>(h.scores + int64_t{r} * h.keys, h.length, h.keys, scale);
  for (int panel = 0; panel < h.width / kPanel; ++panel) {
    kernel(h.scores, h.keys, h.packed_v + int64_t{panel} * h.length * kPanel, 0, h.length, h.out + panel * kPanel,
           h.width, false);
  }
  for (int r = 0; r < rows; ++r) {
    for (int i = 0; i < h.dim; ++i) y[r * ldy + i] = h.out[r * h.width + i] * inverse[r];
  }
}

template <class S>
void attend_head(const AttentionArgs& a, int begin, int length, int head, float* scratch, int row0, int row_end) {
  const int64_t hidden = int64_t{a.heads} * a.head_dim;
  const float* q = a.qkv.f32_row(begin) + head * a.head_dim;
  Head h{q,
         q + hidden,
         q + 2 * hidden,
         a.qkv.stride,
         length,
         a.head_dim,
         ceil_div(length, kPanel) * kPanel,
         ceil_div(a.head_dim, kPanel) * kPanel,
         nullptr,
         nullptr,
         nullptr,
         nullptr};
  h.packed_k = scratch;
  h.packed_v = h.packed_k + int64_t{h.keys} * h.dim;
  h.scores = h.packed_v + int64_t{h.keys} * h.width;
  h.out = h.scores + int64_t{16} * h.keys;
  pack_keys(h);
  pack_values(h);
  for (int row = row0; row < row_end; row += S::kTileRows) {
    const int rows = least(S::kTileRows, row_end - row);
    attend_rows<S>(h, row, rows, a.scale, a.y.f32_row(begin + row) + head * a.head_dim, a.y.stride);
  }
}

// Pieces are (sequence, head, part of the queries); with enough heads to go round a sequence is one part.
template <class S>
void attention(const AttentionArgs& a, Worker& worker, float* scratch) {
  const int heads = a.live->sequences * a.heads;
  if (heads == 0) return;
  const int parts = heads >= 2 * worker.count ? 1 : ceil_div(2 * worker.count, heads);
  for (int64_t piece = worker.claim(); piece < int64_t{heads} * parts; piece = worker.claim()) {
    const int part = static_cast<int>(piece % parts);
    const int head = static_cast<int>(piece / parts) % a.heads;
    const int sequence = static_cast<int>(piece / parts) / a.heads;
    const int begin = a.cu_seqlens[sequence];
    const int length = a.cu_seqlens[sequence + 1] - begin;
    const int share = ceil_div(ceil_div(length, parts), S::kTileRows) * S::kTileRows;
    const int row0 = least(part * share, length), row_end = least(row0 + share, length);
    if (row0 < row_end) attend_head<S>(a, begin, length, head, scratch, row0, row_end);
  }
}

}  // namespace
}  // namespace bouquet::rose::cpu
