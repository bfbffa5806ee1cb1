// y = activation(x W^T + bias) over packed weight panels, templates over a Simd level. Each output element is one
// accumulator that takes its k products in ascending order, whatever tile, block or thread computes it: bits never
// depend on the batch.
#pragma once

#include <type_traits>

#include "rose/kernels/cpu/level.h"
#include "rose/kernels/cpu/math.h"

namespace bouquet::rose::cpu {
namespace {

constexpr int kBlockK = 384;          // k of one pass: a panel of 24 KB stays in L1
constexpr int kBlockRows = 144;       // rows of one pass: with kBlockK their x stays in L2
constexpr int kWidenRows = 25;        // from here on widening a bf16 panel once pays, below it is widened in registers
constexpr int kGroupPanels = 8;       // most panels of one claimed piece
constexpr int kPrefetchBytes = 1024;  // how far a streaming tile reads ahead of itself
constexpr int kFetchRows = 40;        // from here on a panel computes longer than the next takes to come from memory
constexpr int kLineBytes = 64;

constexpr int least(int a, int b) { return a < b ? a : b; }
constexpr int most(int a, int b) { return a > b ? a : b; }
constexpr int ceil_div(int a, int b) { return (a + b - 1) / b; }

// acc[Rows][Panels * 16] += x[Rows][k] * panel[k][16] for one step of k.
template <class S, int Rows, int Panels>
struct Accumulators {
  static constexpr int kVectors = kPanel / S::kLanes;
  typename S::V acc[Rows][Panels * kVectors];

  [[gnu::always_inline]] void clear() {
#pragma GCC unroll 16
    for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 16
      for (int v = 0; v < Panels * kVectors; ++v) acc[r][v] = S::zero();
  }
  [[gnu::always_inline]] void load(const float* c, int64_t ldc) {
#pragma GCC unroll 16
    for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 16
      for (int v = 0; v < Panels * kVectors; ++v) acc[r][v] = S::load(c + r * ldc + v * S::kLanes);
  }
  [[gnu::always_inline]] void store(float* c, int64_t ldc) const {
#pragma GCC unroll 16
    for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 16
      for (int v = 0; v < Panels * kVectors; ++v) S::store(c + r * ldc + v * S::kLanes, acc[r][v]);
  }
  [[gnu::always_inline]] void step(int panel, const float* x, int64_t ldx, const typename S::V (&w)[kVectors]) {
#pragma GCC unroll 16
    for (int r = 0; r < Rows; ++r) {
      const typename S::V broadcast = S::set1(x[r * ldx]);
#pragma GCC unroll 16
      for (int v = 0; v < kVectors; ++v) {
        acc[r][panel * kVectors + v] = S::fma(broadcast, w[v], acc[r][panel * kVectors + v]);
      }
    }
  }
};

template <class S, int Rows, int Panels, bool Streams, class A>
[[gnu::always_inline]] inline void run_k(A& acc, const float* x, int64_t ldx, const float* w, int64_t panel_stride,
                                         int k) {
#pragma GCC unroll 4
  for (int i = 0; i < k; ++i) {
#pragma GCC unroll 4
    for (int p = 0; p < Panels; ++p) {
      typename S::V weights[A::kVectors];
      const float* from = w + p * panel_stride + int64_t{i} * kPanel;
      if constexpr (Streams) S::prefetch(reinterpret_cast<const char*>(from) + kPrefetchBytes);
#pragma GCC unroll 4
      for (int v = 0; v < A::kVectors; ++v) weights[v] = S::load(from + v * S::kLanes);
      acc.step(p, x + i, ldx, weights);
    }
  }
}

// k is even: bf16 panels hold pairs of k.
template <class S, int Rows, int Panels, bool Streams, class A>
[[gnu::always_inline]] inline void run_k(A& acc, const float* x, int64_t ldx, const uint16_t* w, int64_t panel_stride,
                                         int k) {
#pragma GCC unroll 2
  for (int i = 0; i < k; i += 2) {
#pragma GCC unroll 4
    for (int p = 0; p < Panels; ++p) {
      typename S::V even[A::kVectors], odd[A::kVectors];
      const uint16_t* from = w + p * panel_stride + int64_t{i} * kPanel;
      if constexpr (Streams) S::prefetch(reinterpret_cast<const char*>(from) + kPrefetchBytes);
#pragma GCC unroll 4
      for (int v = 0; v < A::kVectors; ++v) S::widen_pair(from + 2 * v * S::kLanes, even[v], odd[v]);
      acc.step(p, x + i, ldx, even);
      acc.step(p, x + i + 1, ldx, odd);
    }
  }
}

// c[Rows][Panels * 16] = (accumulate ? c : 0) + x w
template <class W>
using TileKernel = void (*)(const float* x, int64_t ldx, const W* w, int64_t panel_stride, int k, float* c, int64_t ldc,
                            bool accumulate);

// Streams: the weights come from memory and are read once, so the tile fetches them ahead of itself; else they lie in
// cache.
template <class S, int Rows, int Panels, bool Streams, class W>
[[gnu::noinline]] void tile(const float* x, int64_t ldx, const W* w, int64_t panel_stride, int k, float* c, int64_t ldc,
                            bool accumulate) {
  Accumulators<S, Rows, Panels> acc;
  if (accumulate) {
    acc.load(c, ldc);
  } else {
    acc.clear();
  }
  run_k<S, Rows, Panels, Streams>(acc, x, ldx, w, panel_stride, k);
  acc.store(c, ldc);
}

// The tile kernel of `rows` rows and one panel.
template <class S, bool Streams, class W, int Rows = S::kTileRows>
[[gnu::always_inline]] inline TileKernel<W> tile_of(int rows) {
  if constexpr (Rows == 0) {
    return nullptr;
  } else {
    return rows == Rows ? &tile<S, Rows, 1, Streams, W> : tile_of<S, Streams, W, Rows - 1>(rows);
  }
}

// bias and activation over c[rows][cols], in place.
template <class S>
[[gnu::noinline]] void epilogue(float* c, int64_t ldc, int rows, int cols, const float* bias, Activation activation) {
  for (int r = 0; r < rows; ++r) {
    for (int i = 0; i < cols; i += S::kLanes) {
      typename S::V value = S::load(c + r * ldc + i);
      if (bias) value = S::add(value, S::load(bias + i));
      S::store(c + r * ldc + i, vector_activate<S>(value, activation));
    }
  }
}

// What a panel's tiles bring into L2 meanwhile: the weights that come next.
struct Next {
  const void* weights = nullptr;
  int64_t bytes = 0;
};

// Part `part` of `parts`.
template <class S>
[[gnu::always_inline]] inline void fetch_next(const Next& next, int part, int parts) {
  const auto* from = static_cast<const char*>(next.weights);
  for (int64_t at = next.bytes * part / parts; at < next.bytes * (part + 1) / parts; at += kLineBytes) {
    S::prefetch_far(from + at);
  }
}

template <class S, bool Streams, class W>
[[gnu::always_inline]] inline void run_tiles(const float* x, int64_t ldx, const W* w, int k, float* c, int64_t ldc,
                                             int rows, bool accumulate, const Next& next) {
  const int tiles = ceil_div(rows, S::kTileRows);
  const int small = rows / tiles, big = rows - small * tiles;  // `big` tiles have small + 1 rows
  const TileKernel<W> small_kernel = tile_of<S, Streams, W>(small);
  const TileKernel<W> big_kernel = big ? tile_of<S, Streams, W>(small + 1) : nullptr;
  for (int i = 0; i < tiles; ++i) {
    const int n = i < big ? small + 1 : small;
    if constexpr (!Streams) fetch_next<S>(next, i, tiles);
    (i < big ? big_kernel : small_kernel)(x, ldx, w, 0, k, c, ldc, accumulate);
    x += n * ldx;
    c += n * ldc;
  }
}

// One panel for `rows` rows, k in [k0, k0 + k): the rows split evenly over tiles. Few rows are bound by the memory that
// the weights come from; many compute long enough to have the next panel's fetched meanwhile.
template <class S, class W>
void run_panel(const float* x, int64_t ldx, const W* w, int k, float* c, int64_t ldc, int rows, bool accumulate,
               const Next& next) {
  if (rows < kFetchRows) {
    run_tiles<S, true>(x, ldx, w, k, c, ldc, rows, accumulate, next);
  } else {
    run_tiles<S, false>(x, ldx, w, k, c, ldc, rows, accumulate, next);
  }
}

// The last panel of an n that is no multiple of 16: into a bordered copy, then the live columns out.
template <class S, class W>
void run_edge_panel(const LinearArgs& a, const W* w, int k, int row0, int rows, int col0) {
  const int cols = a.weight->n - col0;
  alignas(64) float tile_out[kBlockRows * kPanel];
  alignas(64) float bias[kPanel] = {};
  for (int i = 0; a.bias && i < cols; ++i) bias[i] = a.bias[col0 + i];
  run_panel<S, W>(a.x.f32_row(row0), a.x.stride, w, k, tile_out, kPanel, rows, false, Next{});
  epilogue<S>(tile_out, kPanel, rows, kPanel, bias, a.activation);
  for (int r = 0; r < rows; ++r) {
    for (int i = 0; i < cols; ++i) a.y.f32_row(row0 + r)[col0 + i] = tile_out[r * kPanel + i];
  }
}

// Few rows: several panels side by side keep enough accumulators busy to stream the weights.
template <class S, int Rows, int Panels, class W>
int run_narrow(const LinearArgs& a, const W* w, int64_t stride, int row0, int panel, int end) {
  for (; panel + Panels <= end; panel += Panels) {
    float* c = a.y.f32_row(row0) + panel * kPanel;
    tile<S, Rows, Panels, true, W>(a.x.f32_row(row0), a.x.stride, w + panel * stride, stride, a.weight->k, c,
                                   a.y.stride, false);
    epilogue<S>(c, a.y.stride, Rows, Panels * kPanel, a.bias ? a.bias + panel * kPanel : nullptr, a.activation);
  }
  return panel;
}

// w[k][16] pairs -> f32 [k][16]
template <class S>
[[gnu::noinline]] void widen_panel(const uint16_t* w, int k, float* out) {
  for (int i = 0; i < k; i += 2) {
    for (int v = 0; v < kPanel; v += S::kLanes) {
      typename S::V even, odd;
      S::widen_pair(w + int64_t{i} * kPanel + 2 * v, even, odd);
      S::store(out + int64_t{i} * kPanel + v, even);
      S::store(out + int64_t{i + 1} * kPanel + v, odd);
    }
  }
}

// As run_panel, whatever the weights are stored as: many rows read a bf16 panel from an f32 copy in L1, to the same
// bits.
template <class S, class W>
void run_wide_panel(const float* x, int64_t ldx, const W* w, int k, float* c, int64_t ldc, int rows, bool accumulate,
                    const Next& next) {
  if constexpr (std::is_same_v<W, uint16_t>) {
    if (rows >= kWidenRows) {
      alignas(64) float wide[kBlockK * kPanel];
      widen_panel<S>(w, k, wide);
      return run_panel<S, float>(x, ldx, wide, k, c, ldc, rows, accumulate, next);
    }
  }
  run_panel<S, W>(x, ldx, w, k, c, ldc, rows, accumulate, next);
}

// Rows [row0, row0 + rows) of full panels [panel, end).
template <class S, class W>
void run_block(const LinearArgs& a, const W* w, int row0, int rows, int panel, int end) {
  const int k = a.weight->k;
  const int64_t stride = int64_t{k} * kPanel;
  if (rows == 1) panel = run_narrow<S, 1, 4, W>(a, w, stride, row0, panel, end);
  if (rows == 2) panel = run_narrow<S, 2, 2, W>(a, w, stride, row0, panel, end);
  if (rows == 3) panel = run_narrow<S, 3, 2, W>(a, w, stride, row0, panel, end);
  if (panel == end) return;
  const int passes = ceil_div(k, kBlockK);
  const int step = ceil_div(ceil_div(k, passes), 4) * 4;
  for (int k0 = 0; k0 < k; k0 += step) {
    const int depth = least(step, k - k0);
    const int64_t bytes = int64_t{depth} * kPanel * static_cast<int64_t>(sizeof(W));
    const auto weights = [&](int p, int from) { return w + p * stride + int64_t{from} * kPanel; };
    for (int p = panel; p < end; ++p) {
      float* c = a.y.f32_row(row0) + p * kPanel;
      Next next;
      if (p + 1 < end) {
        next = {weights(p + 1, k0), bytes};
      } else if (k0 + depth < k) {
        next = {weights(panel, k0 + depth), bytes};
      }
      run_wide_panel<S, W>(a.x.f32_row(row0) + k0, a.x.stride, weights(p, k0), depth, c, a.y.stride, rows, k0 > 0,
                           next);
      if (k0 + depth == k) {
        epilogue<S>(c, a.y.stride, rows, kPanel, a.bias ? a.bias + p * kPanel : nullptr, a.activation);
      }
    }
  }
}

template <class S, class W>
void linear_panels(const LinearArgs& a, const W* w, Worker& worker) {
  const int rows = *a.rows;
  if (rows == 0) return;
  const int full_panels = a.weight->n / kPanel, panels = ceil_div(a.weight->n, kPanel);
  const int row_blocks = ceil_div(rows, kBlockRows);
  const int block_rows = ceil_div(rows, row_blocks);
  const int wanted_groups =
      most(1, 4 * worker.count / row_blocks);  // enough pieces to even out, few enough to be cheap
  int group = least(kGroupPanels, most(1, panels / wanted_groups));
  if (rows <= 3) group = ceil_div(group, 4) * 4;
  const int groups = ceil_div(panels, group);
  for (int64_t piece = worker.claim(); piece < int64_t{row_blocks} * groups; piece = worker.claim()) {
    const int row0 = static_cast<int>(piece / groups) * block_rows;
    const int panel0 = static_cast<int>(piece % groups) * group;
    const int count = least(block_rows, rows - row0);
    const int end = least(panel0 + group, panels);
    if (count <= 0) continue;
    if (panel0 < full_panels) run_block<S, W>(a, w, row0, count, panel0, least(end, full_panels));
    if (end > full_panels) {
      run_edge_panel<S, W>(a, w + int64_t{full_panels} * a.weight->k * kPanel, a.weight->k, row0, count,
                           full_panels * kPanel);
    }
  }
}

template <class S>
void linear(const LinearArgs& a, const PanelMatrix& w, Worker& worker) {
  if (w.dtype == DType::kBF16) {
    linear_panels<S>(a, static_cast<const uint16_t*>(w.data), worker);
  } else {
    linear_panels<S>(a, static_cast<const float*>(w.data), worker);
  }
}

}  // namespace
}  // namespace bouquet::rose::cpu
