// One head of one sequence with its keys and values repacked into the panels that tiles multiply with.
#pragma once

#include "rose/kernels/cpu/gemm.h"

namespace bouquet::rose::cpu {
namespace {

// One head of one sequence: where its rows are and where its repacked copies lie. Keys are counted from the first one
// packed, which is a multiple of a panel: a key's lane in every sum depends on its position alone.
struct Head {
  const float* q;  // first row of the sequence; rows `stride` apart
  const float* k;  // first packed row
  const float* v;
  int64_t stride;
  int length;       // packed tokens
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

}  // namespace
}  // namespace bouquet::rose::cpu
