// The kernels that go row by row: embedding, norms, gates, rotary positions, pooling and the final cut and scaling.
// Templates over a Simd level; sums run in one order that depends on the row's length alone.
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

template <class S>
[[gnu::always_inline]] inline typename S::V load_word(const float* x) {
  return S::load(x);
}
template <class S>
[[gnu::always_inline]] inline typename S::V load_word(const uint16_t* x) {
  return S::load_bf16(x);
}
inline float word_value(float x) { return x; }
inline float word_value(uint16_t x) { return bf16_to_float(x); }

// y = scale * word + place + type; place and type may be null.
template <class S, class Word>
void embed_row(const Word* word, float scale, const float* place, const float* type, int n, float* y) {
  const typename S::V scales = S::set1(scale);
  for_elements<S>(
      n,
      [&](int i) {
        typename S::V v = S::mul(scales, load_word<S>(word + i));
        if (place) v = S::add(v, S::load(place + i));
        if (type) v = S::add(v, S::load(type + i));
        S::store(y + i, v);
      },
      [&](int i) {
        float v = scale * word_value(word[i]);
        if (place) v += place[i];
        if (type) v += type[i];
        y[i] = v;
      });
}

template <class S>
void embed(const EmbedArgs& a, Worker& worker) {
  for_rows(a.live->tokens, kRowsPerPiece, worker, [&](int token) {
    const float* place = a.place_table.data ? a.place_table.f32_row(a.positions[token]) : nullptr;
    const float* type = a.type_table.data ? a.type_table.f32_row(a.token_types[token]) : nullptr;
    const int64_t at = int64_t{a.ids[token]} * a.words.stride;
    if (a.words.dtype == DType::kBF16) {
      embed_row<S>(static_cast<const uint16_t*>(a.words.data) + at, a.scale, place, type, a.y.cols, a.y.f32_row(token));
    } else {
      embed_row<S>(a.words.f32() + at, a.scale, place, type, a.y.cols, a.y.f32_row(token));
    }
  });
}

// The sum of n values, each lane of a vector on its own first.
template <class S>
float sum_of(const float* x, int n) {
  typename S::V sums = S::zero();
  float rest = 0;
  for_elements<S>(
      n, [&](int i) { sums = S::add(sums, S::load(x + i)); }, [&](int i) { rest += x[i]; });
  return S::sum(sums) + rest;
}

// The sum of (x - mean)^2.
template <class S>
float squares_about(const float* x, int n, float mean) {
  const typename S::V means = S::set1(mean);
  typename S::V squares = S::zero();
  float rest = 0;
  for_elements<S>(
      n,
      [&](int i) {
        const typename S::V d = S::sub(S::load(x + i), means);
        squares = S::fma(d, d, squares);
      },
      [&](int i) { rest += (x[i] - mean) * (x[i] - mean); });
  return S::sum(squares) + rest;
}

// y = (x - mean) * scale * gamma + beta; y may be x.
template <class S>
void scale_and_shift(const float* x, int n, float mean, float scale, const float* gamma, const float* beta, float* y) {
  const typename S::V means = S::set1(mean), scales = S::set1(scale);
  for_elements<S>(
      n,
      [&](int i) {
        typename S::V d = S::mul(S::sub(S::load(x + i), means), scales);
        if (gamma) d = S::mul(d, S::load(gamma + i));
        S::store(y + i, beta ? S::add(d, S::load(beta + i)) : d);
      },
      [&](int i) { y[i] = (x[i] - mean) * scale * (gamma ? gamma[i] : 1.0f) + (beta ? beta[i] : 0.0f); });
}

// y = scale * (x + residual); returns the sum of y.
template <class S>
float add_and_sum(const float* x, const float* residual, float scale, int n, float* y) {
  const typename S::V scales = S::set1(scale);
  typename S::V sums = S::zero();
  float rest = 0;
  for_elements<S>(
      n,
      [&](int i) {
        const typename S::V v = S::mul(scales, S::add(S::load(x + i), S::load(residual + i)));
        S::store(y + i, v);
        sums = S::add(sums, v);
      },
      [&](int i) { rest += y[i] = scale * (x[i] + residual[i]); });
  return S::sum(sums) + rest;
}

template <class S>
void norm_row(const NormArgs& a, int row) {
  const int n = a.x.cols;
  const float* x = a.x.f32_row(row);
  float* y = a.y.data ? a.y.f32_row(row) : nullptr;
  float sum = 0;
  if (a.residual.data) {
    float* both = a.sum.data ? a.sum.f32_row(row) : y;
    sum = add_and_sum<S>(x, a.residual.f32_row(row), a.scale, n, both);
    x = both;
  } else if (a.kind == NormKind::kLayer) {
    sum = sum_of<S>(x, n);
  }
  if (!y) return;
  const float count = static_cast<float>(n);
  const float mean = a.kind == NormKind::kLayer ? sum / count : 0.0f;
  const float scale = 1.0f / __builtin_sqrtf(squares_about<S>(x, n, mean) / count + a.epsilon);
  scale_and_shift<S>(x, n, mean, scale, a.gamma, a.beta, y);
}

template <class S>
void norm(const NormArgs& a, Worker& worker) {
  for_rows(*a.rows, kRowsPerPiece, worker, [&](int row) { norm_row<S>(a, row); });
}

template <class S>
void gate_row(const float* x, int n, Activation activation, float* y) {
  for_elements<S>(
      n, [&](int i) { S::store(y + i, S::mul(vector_activate<S>(S::load(x + i), activation), S::load(x + n + i))); },
      [&](int i) {
        float lanes[S::kLanes] = {x[i]};
        S::store(lanes, vector_activate<S>(S::load(lanes), activation));
        y[i] = lanes[0] * x[n + i];
      });
}

template <class S>
void gate(const GateArgs& a, Worker& worker) {
  for_rows(*a.rows, kRowsPerPiece, worker,
           [&](int row) { gate_row<S>(a.x.f32_row(row), a.y.cols, a.activation, a.y.f32_row(row)); });
}

// Values i and i + half of `head`, for every i below half, turned by the angle whose cosine and sine are given.
template <class S>
void turn(float* head, int half, const float* cosines, const float* sines) {
  for_elements<S>(
      half,
      [&](int i) {
        const typename S::V a = S::load(head + i), b = S::load(head + half + i);
        const typename S::V cosine = S::load(cosines + i), sine = S::load(sines + i);
        S::store(head + i, S::fnma(b, sine, S::mul(a, cosine)));
        S::store(head + half + i, S::fma(a, sine, S::mul(b, cosine)));
      },
      [&](int i) {
        const float a = head[i], b = head[half + i];
        head[i] = a * cosines[i] - b * sines[i];
        head[half + i] = b * cosines[i] + a * sines[i];
      });
}

template <class S>
void rope(const RopeArgs& a, Worker& worker) {
  const int dim = a.shape.head_dim, half = a.rotary_dim / 2;
  for_rows(a.live->tokens, kRowsPerPiece, worker, [&](int token) {
    float* head = a.qkv.f32_row(token);
    const int64_t at = int64_t{a.positions[token]} * half;
    for (int h = 0; h < a.shape.heads + a.shape.kv_heads; ++h, head += dim) {
      if (const float* gamma = h < a.shape.heads ? a.query_gamma : a.key_gamma) {
        const float mean_square = squares_about<S>(head, dim, 0.0f) / static_cast<float>(dim);
        scale_and_shift<S>(head, dim, 0.0f, 1.0f / __builtin_sqrtf(mean_square + a.epsilon), gamma, nullptr, head);
      }
      turn<S>(head, half, a.cosines + at, a.sines + at);
    }
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

inline int last_token(const PoolArgs& a, int begin, int end) {
  int last = end - 1;
  while (last > begin && a.ids[last] == a.padding) --last;
  return last;
}

template <class S>
void pool(const PoolArgs& a, Worker& worker) {
  for_rows(*a.rows, 1, worker, [&](int row) {
    const int begin = a.plans[row].begin, end = a.plans[row].end;
    const float n = static_cast<float>(end - begin);
    float* y = a.y.f32_row(row);
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
      case Pooling::kLastToken: {
        const int last = last_token(a, begin, end);
        pool_sum<S>(a, last, last + 1, false, 1.0f, y);
        break;
      }
    }
  });
}

template <class S>
void finish(const FinishArgs& a, Worker& worker) {
  for_rows(*a.rows, 1, worker, [&](int row) {
    const float* x = a.x.f32_row(row);
    float* y = a.y.f32_row(row);
    const int n = a.plans[row].dimensions;
    double squares = 0;
    for (int i = 0; i < n; ++i) squares += double{x[i]} * x[i];
    const double norm = __builtin_sqrt(squares);
    const double scale = a.plans[row].normalize ? 1.0 / (norm < 1e-12 ? 1e-12 : norm) : 1.0;  // NaN stays NaN
    for (int i = 0; i < n; ++i) y[i] = static_cast<float>(x[i] * scale);
    for (int i = n; i < a.x.cols; ++i) y[i] = 0;
  });
}

}  // namespace
}  // namespace bouquet::rose::cpu
