// SPLADE's pooling over packed weight panels, templates over a Simd level: the logits of a panel's 16 entries are made
// for a block of tokens at a time and reduced at once, so that the whole matrix of logits never exists.
#pragma once

#include <cmath>

#include "rose/kernels/cpu/gemm.h"

namespace bouquet::rose::cpu {
namespace {

// out[rows][16] = x[rows][k] w, whatever the weights are stored as.
template <class S, class W>
void panel_logits(const float* x, int64_t ldx, const W* w, int k, int rows, float* out) {
  for (int k0 = 0; k0 < k; k0 += kBlockK) {
    run_wide_panel<S, W>(x + k0, ldx, w + int64_t{k0} * kPanel, least(kBlockK, k - k0), out, kPanel, rows, k0 > 0,
                         Next{});
  }
}

inline float logarithms(float x, int count) {
  for (int i = 0; i < count && x > 0; ++i) x = log1pf(x);
  return x;
}

// The logarithms keep order: of the largest they are taken at the end.
template <class S, class W>
void pool_panel(const VocabularyArgs& a, const W* w, int panel, int row) {
  alignas(64) float logits[kBlockRows * kPanel];
  float totals[kPanel] = {};
  const int col0 = panel * kPanel, cols = least(kPanel, a.weight->n - col0), k = a.weight->k;
  const W* weights = w + int64_t{panel} * k * kPanel;
  for (int token = a.plans[row].begin; token < a.plans[row].end; token += kBlockRows) {
    const int tokens = least(kBlockRows, a.plans[row].end - token);
    panel_logits<S, W>(a.x.f32_row(token), a.x.stride, weights, k, tokens, logits);
    for (int t = 0; t < tokens; ++t) {
      for (int i = 0; i < cols; ++i) {
        const float logit = logits[t * kPanel + i] + (a.bias ? a.bias[col0 + i] : 0.0f);
        if (a.sum) {
          totals[i] += logarithms(logit > 0 ? logit : 0, a.logarithms);
        } else if (logit > totals[i] || logit != logit) {  // NaN comes in, and stays
          totals[i] = logit;
        }
      }
    }
  }
  float* y = a.y.f32_row(row) + col0;
  for (int i = 0; i < cols; ++i) y[i] = a.sum ? totals[i] : logarithms(totals[i], a.logarithms);
}

template <class S, class W>
void vocabulary_panels(const VocabularyArgs& a, const W* w, Worker& worker) {
  const int panels = ceil_div(a.weight->n, kPanel);
  for (int64_t panel = worker.claim(); panel < panels; panel = worker.claim()) {
    for (int row = 0; row < *a.rows; ++row) pool_panel<S, W>(a, w, static_cast<int>(panel), row);
  }
}

template <class S>
void vocabulary(const VocabularyArgs& a, const PanelMatrix& w, Worker& worker) {
  if (w.dtype == DType::kBF16) {
    vocabulary_panels<S>(a, static_cast<const uint16_t*>(w.data), worker);
  } else {
    vocabulary_panels<S>(a, static_cast<const float*>(w.data), worker);
  }
}

}  // namespace
}  // namespace bouquet::rose::cpu
