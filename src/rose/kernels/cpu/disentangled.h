// The products of disentangled attention with what stands for distances, templates over a Simd level: those of all keys
// are made once for a head of a sequence, those of the queries a tile at a time.
#pragma once

#include "rose/kernels/cpu/packed_head.h"

namespace bouquet::rose::cpu {
namespace {

// Null pointers: the model has none of that kind.
struct Places {
  int width = 0;              // places rounded up to a panel
  int dim = 0;                // head_dim
  float* keys = nullptr;      // [width / 16][dim][16] packed
  float* queries = nullptr;   // likewise
  float* by_query = nullptr;  // [kTileRows][width] a tile's queries times keys
  float* by_key = nullptr;    // [packed keys][width] keys times queries
};

inline float* pack_places(const Tensor& places, int count, int head, int dim, float* to) {
  Head h{};
  h.k = places.f32() + head * dim;
  h.stride = places.stride;
  h.length = count;
  h.dim = dim;
  h.keys = ceil_div(count, kPanel) * kPanel;
  h.packed_k = to;
  pack_keys(h);
  return to;
}

// out[rows][width] = x[rows][dim] times packed places
template <class S>
void multiply_rows(const float* x, int64_t ldx, int rows, const float* packed, const Places& p, float* out) {
  const TileKernel<float> kernel = tile_of<S, false, float>(rows);
  for (int panel = 0; panel < p.width / kPanel; ++panel) {
    kernel(x, ldx, packed + int64_t{panel} * p.dim * kPanel, 0, p.dim, out + panel * kPanel, p.width, false);
  }
}

// Lays out what attention_scratch() has room for, and multiplies the head's keys.
template <class S>
Places make_places(const AttentionArgs& a, const Head& h, int head, float* scratch) {
  const Disentangled& d = a.disentangled;
  Places p;
  if (!d.rows) return p;
  p.width = ceil_div(d.places, kPanel) * kPanel;
  p.dim = h.dim;
  const int64_t packed = int64_t{p.width} * h.dim;
  p.by_query = scratch + 2 * packed;
  p.by_key = p.by_query + int64_t{16} * p.width;
  if (d.keys.data) p.keys = pack_places(d.keys, d.places, head, h.dim, scratch);
  if (!d.queries.data) return p;
  p.queries = pack_places(d.queries, d.places, head, h.dim, scratch + packed);
  for (int key = 0; key < h.length; key += S::kTileRows) {
    multiply_rows<S>(h.k + key * h.stride, h.stride, least(S::kTileRows, h.length - key), p.queries, p,
                     p.by_key + int64_t{key} * p.width);
  }
  return p;
}

// scores[begin, end) of one query += its products with the places of the keys, and the keys' own. Key 0 of `scores` is
// packed key `first`, and lies `ahead` positions before the query.
inline void add_places(const Disentangled& d, const Places& p, const float* by_query, int first, int ahead, int begin,
                       int end, float* scores) {
  for (int i = begin; i < end; ++i) {
    const int place = d.rows[d.reach + most(-d.reach, least(d.reach, ahead - i))];
    if (p.keys) scores[i] += by_query[place];
    if (p.queries) scores[i] += p.by_key[int64_t{first + i} * p.width + place];
  }
}

}  // namespace
}  // namespace bouquet::rose::cpu
