// Ragged attention, templates over a Simd level: per sequence and head the keys and values are repacked into panels,
// then a few query rows at a time compute all their scores, an exact softmax, and the weighted sum of values, all in
// cache. Every row's arithmetic depends on its own sequence alone.
#pragma once

#include "rose/kernels/cpu/disentangled.h"
#include "rose/kernels/cpu/packed_head.h"

namespace bouquet::rose::cpu {
namespace {

// Keys that query rows see, counted from the first one packed.
struct Span {
  int begin;
  int end;
};

// scores[0, keys) -> exp(scale * (score - max)) within the span, zeros outside; returns 1 / their sum.
template <class S>
float softmax_row(float* scores, Span span, int keys, float scale) {
  for (int i = 0; i < span.begin; ++i) scores[i] = scores[span.begin];
  for (int i = span.end; i < keys; ++i) scores[i] = scores[span.begin];
  typename S::V top = S::load(scores);
  for (int i = S::kLanes; i < keys; i += S::kLanes) top = S::max(top, S::load(scores + i));
  const typename S::V shift = S::set1(S::top(top));
  const typename S::V factor = S::set1(scale);
  typename S::V sum = S::zero();
  for (int i = 0; i < keys; i += S::kLanes) {
    typename S::V e = vector_exp<S>(S::mul(factor, S::sub(S::load(scores + i), shift)));
    S::store(scores + i, e);
    if (i < span.begin || i + S::kLanes > span.end) {
      for (int j = i; j < least(span.begin, i + S::kLanes); ++j) scores[j] = 0;
      for (int j = most(span.end, i); j < i + S::kLanes; ++j) scores[j] = 0;
      e = S::load(scores + i);
    }
    sum = S::add(sum, e);
  }
  return 1.0f / S::sum(sum);
}

// y = factor * x
inline void scale_row(const float* x, float factor, int n, float* y) {
  for (int i = 0; i < n; ++i) y[i] = x[i] * factor;
}

// scores -> scale * score + the bias of each key's distance from the query; key 0 lies `first` behind (or before) it.
inline void add_distance_bias(const AttentionArgs& a, int head, int first, Span span, float* scores) {
  const float* bias = a.distance_bias + int64_t{head} * (2 * a.reach + 1) + a.reach;
  const int near = most(span.begin, least(span.end, -a.reach - first));    // keys before: too far to the left
  const int far = most(span.begin, least(span.end, a.reach - first + 1));  // keys from here on: too far to the right
  for (int i = span.begin; i < near; ++i) scores[i] = scores[i] * a.scale + bias[-a.reach];
  for (int i = near; i < far; ++i) scores[i] = scores[i] * a.scale + bias[first + i];
  for (int i = far; i < span.end; ++i) scores[i] = scores[i] * a.scale + bias[a.reach];
}

// The keys that a query at `position` sees of a sequence with so many.
inline Span seen(const AttentionArgs& a, int position, int keys) {
  const int end = least(keys, position + a.right + 1);
  return {least(most(0, position - a.left), end - 1), end};
}

// A tile of query rows of one head, and the packed keys that any of them sees.
struct QueryTile {
  int head;
  int row0;       // position of its first row
  int rows;       // at most kTileRows
  int keys;       // of the sequence
  int first_key;  // position of the first packed key
  Span panels;    // of packed keys
};

template <class S>
void attend_rows(const AttentionArgs& a, const Head& h, const Places& places, const QueryTile& t, float* y) {
  const TileKernel<float> kernel = tile_of<S, false, float>(t.rows);
  const int base = t.panels.begin * kPanel, keys = (t.panels.end - t.panels.begin) * kPanel;
  for (int panel = t.panels.begin; panel < t.panels.end; ++panel) {
    kernel(h.q + t.row0 * h.stride, h.stride, h.packed_k + int64_t{panel} * h.dim * kPanel, 0, h.dim,
           h.scores + panel * kPanel - base, h.keys, false);
  }
  const int first = t.first_key + base;
  if (places.keys) multiply_rows<S>(h.q + t.row0 * h.stride, h.stride, t.rows, places.keys, places, places.by_query);
  float inverse[S::kTileRows];
  for (int r = 0; r < t.rows; ++r) {
    float* scores = h.scores + int64_t{r} * h.keys;
    Span span = seen(a, t.row0 + r, t.keys);
    span = {span.begin - first, span.end - first};
    if (a.disentangled.rows) {
      const float* by_query = places.by_query + int64_t{r} * places.width;
      add_places(a.disentangled, places, by_query, base, t.row0 + r - first, span.begin, span.end, scores);
    }
    if (a.distance_bias) add_distance_bias(a, t.head, first - (t.row0 + r), span, scores);
    inverse[r] = softmax_row<S>(scores, span, keys, a.distance_bias ? 1.0f : a.scale);
  }
  const int depth = least(keys, h.length - base);
  for (int panel = 0; panel < h.width / kPanel; ++panel) {
    kernel(h.scores, h.keys, h.packed_v + (int64_t{panel} * h.length + base) * kPanel, 0, depth, h.out + panel * kPanel,
           h.width, false);
  }
  for (int r = 0; r < t.rows; ++r) scale_row(h.out + r * h.width, inverse[r], h.dim, y + r * a.y.stride);
}

// What one piece of work computes: query rows [row0, row_end) of a head of the sequence that begins at token `begin`
// and has so many keys.
struct Piece {
  int begin;
  int keys;
  int head;
  int row0;
  int row_end;
};

// Packs the keys and values that the piece's queries see, from a panel's start on.
template <class S>
Head pack_head(const AttentionArgs& a, const Piece& p, int first_key, float* scratch) {
  const int dim = a.shape.head_dim, kv_head = p.head / (a.shape.heads / a.shape.kv_heads);
  const int key_at = a.shape.query_width() + kv_head * dim;
  const int length = seen(a, p.row_end - 1, p.keys).end - first_key;
  const float* first = a.qkv.f32_row(p.begin + first_key);
  Head h{};
  h.q = a.qkv.f32_row(p.begin) + p.head * dim;
  h.k = first + key_at;
  h.v = h.k + a.shape.kv_heads * dim;
  h.stride = a.qkv.stride;
  h.length = length;
  h.dim = dim;
  h.keys = ceil_div(length, kPanel) * kPanel;
  h.width = ceil_div(dim, kPanel) * kPanel;
  h.packed_k = scratch;
  h.packed_v = h.packed_k + int64_t{h.keys} * h.dim;
  h.scores = h.packed_v + int64_t{h.keys} * h.width;
  h.out = h.scores + int64_t{16} * h.keys;
  pack_keys(h);
  pack_values(h);
  return h;
}

template <class S>
void attend_piece(const AttentionArgs& a, const Piece& p, float* scratch) {
  const int first_key = seen(a, p.row0, p.keys).begin / kPanel * kPanel;
  const Head h = pack_head<S>(a, p, first_key, scratch);
  const Places places = make_places<S>(a, h, p.head, h.out + int64_t{16} * h.width);
  for (int row = p.row0; row < p.row_end; row += S::kTileRows) {
    const int rows = least(S::kTileRows, p.row_end - row);
    const int begin = seen(a, row, p.keys).begin - first_key;
    const int end = seen(a, row + rows - 1, p.keys).end - first_key;
    const QueryTile tile{p.head, row, rows, p.keys, first_key, {begin / kPanel, ceil_div(end, kPanel)}};
    attend_rows<S>(a, h, places, tile, a.y.f32_row(p.begin + row) + p.head * h.dim);
  }
}

// Pieces are (sequence, head, part of the queries); with enough heads to go round a sequence is one part.
template <class S>
void attention(const AttentionArgs& a, Worker& worker, float* scratch) {
  const int heads = a.live->sequences * a.shape.heads;
  if (heads == 0) return;
  const int parts = heads >= 2 * worker.count ? 1 : ceil_div(2 * worker.count, heads);
  for (int64_t piece = worker.claim(); piece < int64_t{heads} * parts; piece = worker.claim()) {
    const int part = static_cast<int>(piece % parts);
    const int head = static_cast<int>(piece / parts) % a.shape.heads;
    const int sequence = static_cast<int>(piece / parts) / a.shape.heads;
    const int begin = a.cu_seqlens[sequence];
    const int length = a.cu_seqlens[sequence + 1] - begin;
    const int share = ceil_div(ceil_div(length, parts), S::kTileRows) * S::kTileRows;
    const int row0 = least(part * share, length), row_end = least(row0 + share, length);
    if (row0 < row_end) attend_piece<S>(a, {begin, a.key_counts[sequence], head, row0, row_end}, scratch);
  }
}

}  // namespace
}  // namespace bouquet::rose::cpu
