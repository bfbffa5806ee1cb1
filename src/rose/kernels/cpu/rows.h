// The kernels that go row by row: embedding, layer norm, pooling and the final cut and scaling. Templates over a Simd
// level; sums run in one order that depends on the row's length alone.
#pragma once

#include "rose/kernels/cpu/gemm.h"

namespace bouquet::rose::cpu {
namespace {

constexpr int kRowsPerPiece = 16;

// f(row) for every row in [0, rows), claimed in pieces of `step` rows.
template <class F>
[[gnu::always_inline]] inline void for_rows(int rows, int step, Worker& worker, F f) {
  for (int64_t piece = worker.claim(); piece * step < rows; piece = worker.claim()) {
    const int end = least(rows, static_cast<int>(piece + 1) * step);
    for (int row = static_cast<int>(piece) * step; row < end; ++row) f(row);
  }
}

// f(vector index) over whole vectors, g(element) over the rest of n.
template <class S, class F, class G>
[[gnu::always_inline]] inline void for_elements(int n, F f, G g) {
  int i = 0;
  for (; i + S::kLanes <= n; i += S::kLanes) f(i);
  for (; i < n; ++i) g(i);
}

// The sequence that token `token` lies in: the last one that starts at or before it and is not empty.
inline int sequence_of(const int32_t* cu_seqlens, int sequences, int token) {
  int low = 0, high = sequences;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    (cu_seqlens[middle] <= token ? low : high) = middle;
  }
  return low;
}

template <class S>
void embed(const EmbedArgs& a, Worker& worker) {
  for_rows(a.live->tokens, kRowsPerPiece, worker, [&](int token) {
    const int position = token - a.cu_seqlens[sequence_of(a.cu_seqlens, a.live->sequences, token)];
    const float* word = a.words + int64_t{a.ids[token]} * a.hidden;
    const float* place = a.positions + int64_t{position} * a.hidden;
    const float* type = a.types + int64_t{a.token_types[token]} * a.hidden;
    float* y = a.y.f32_row(token);
    for_elements<S>(
        a.hidden,
        [&](int i) { S::store(y + i, S::add(S::add(S::load(word + i), S::load(place + i)), S::load(type + i))); },
        [&](int i) { y[i] = word[i] + place[i] + type[i]; });
  });
}

template <class S>
void norm_row(const LayerNormArgs& a, const float* x, const float* residual, float* y) {
  const int n = a.x.cols;
  typename S::V sums = S::zero();
  float rest = 0;
  for_elements<S>(
      n,
      [&](int i) {
        const typename S::V value = residual ? S::add(S::load(x + i), S::load(residual + i)) : S::load(x + i);
        S::store(y + i, value);
        sums = S::add(sums, value);
      },
      [&](int i) { rest += y[i] = residual ? x[i] + residual[i] : x[i]; });
  const float mean = (S::sum(sums) + rest) / static_cast<float>(n);
  const typename S::V means = S::set1(mean);
  typename S::V squares = S::zero();
  float rest_squares = 0;
  for_elements<S>(
      n,
      [&](int i) {
        const typename S::V d = S::sub(S::load(y + i), means);
        squares = S::fma(d, d, squares);
      },
      [&](int i) { rest_squares += (y[i] - mean) * (y[i] - mean); });
  const float variance = (S::sum(squares) + rest_squares) / static_cast<float>(n);
  const float scale = 1.0f / __builtin_sqrtf(variance + a.epsilon);
  const typename S::V scales = S::set1(scale);
  for_elements<S>(
      n,
      [&](int i) {
        const typename S::V d = S::mul(S::sub(S::load(y + i), means), scales);
        S::store(y + i, S::fma(d, S::load(a.gamma + i), S::load(a.beta + i)));
      },
      [&](int i) { y[i] = (y[i] - mean) * scale * a.gamma[i] + a.beta[i]; });
}

template <class S>
void layer_norm(const LayerNormArgs& a, Worker& worker) {
  for_rows(*a.rows, kRowsPerPiece, worker, [&](int row) {
    norm_row<S>(a, a.x.f32_row(row), a.residual.data ? a.residual.f32_row(row) : nullptr, a.y.f32_row(row));
  });
}

// y = sum over rows [begin, end) of weight(row) * x, or the maximum.
template <class S>
void pool_sum(const PoolArgs& a, int begin, int end, bool weighted, float scale, float* y) {
  for_elements<S>(
      a.x.cols,
      [&](int i) {
        typename S::V sum = S::zero();
        for (int t = begin; t < end; ++t) {
          const float weight = weighted ? static_cast<float>(t - begin + 1) : 1.0f;
          sum = S::fma(S::set1(weight), S::load(a.x.f32_row(t) + i), sum);
        }
        S::store(y + i, S::mul(sum, S::set1(scale)));
      },
      [&](int i) {
        float sum = 0;
        for (int t = begin; t < end; ++t)
          sum += a.x.f32_row(t)[i] * (weighted ? static_cast<float>(t - begin + 1) : 1.0f);
        y[i] = sum * scale;
      });
}

template <class S>
void pool_max(const PoolArgs& a, int begin, int end, float* y) {
  for (int i = 0; i < a.x.cols; ++i) y[i] = a.x.f32_row(begin)[i];
  for (int t = begin + 1; t < end; ++t) {
    const float* x = a.x.f32_row(t);
    for_elements<S>(
        a.x.cols, [&](int i) { S::store(y + i, S::max(S::load(y + i), S::load(x + i))); },
        [&](int i) { y[i] = y[i] > x[i] ? y[i] : x[i]; });
  }
}

template <class S>
void pool(const PoolArgs& a, Worker& worker) {
  for_rows(a.live->sequences, 1, worker, [&](int s) {
    const int begin = a.cu_seqlens[s], end = a.cu_seqlens[s + 1];
    const float n = static_cast<float>(end - begin);
    float* y = a.y.f32_row(s);
    switch (a.pooling) {
      case Pooling::kMean:
        pool_sum<S>(a, begin, end, false, 1.0f / n, y);
        break;
      case Pooling::kMeanSqrtLen:
        pool_sum<S>(a, begin, end, false, 1.0f / __builtin_sqrtf(n), y);
        break;
      case Pooling::kWeightedMean:
        pool_sum<S>(a, begin, end, true, 2.0f / (n * (n + 1)), y);
        break;
      case Pooling::kMax:
        pool_max<S>(a, begin, end, y);
        break;
      case Pooling::kCls:
        pool_sum<S>(a, begin, begin + 1, false, 1.0f, y);
        break;
      case Pooling::kLastToken:
        pool_sum<S>(a, end - 1, end, false, 1.0f, y);
        break;
    }
  });
}

template <class S>
void finish(const FinishArgs& a, Worker& worker) {
  for_rows(a.live->sequences, 1, worker, [&](int s) {
    const float* x = a.x.f32_row(s);
    float* y = a.y.f32_row(s);
    const int n = a.dimensions[s];
    double squares = 0;
    for (int i = 0; i < n; ++i) squares += double{x[i]} * x[i];
    const double norm = __builtin_sqrt(squares);
    const double scale = a.normalize[s] ? 1.0 / (norm < 1e-12 ? 1e-12 : norm) : 1.0;  // NaN stays NaN
    for (int i = 0; i < n; ++i) y[i] = static_cast<float>(x[i] * scale);
    for (int i = n; i < a.x.cols; ++i) y[i] = 0;
  });
}

}  // namespace
}  // namespace bouquet::rose::cpu
