// Vector exp and the activations, templates over a Simd level. Relative error of exp below 2e-7; absolute error of
// GELU below 3e-7 (erf by Abramowitz and Stegun 7.1.26).
#pragma once

#include "rose/kernels/kernels.h"

namespace bouquet::rose::cpu {
namespace {

template <class S>
[[gnu::always_inline]] inline typename S::V vector_exp(typename S::V x) {
  using V = typename S::V;
  x = S::min(S::set1(88.0f), S::max(S::set1(-87.3f), x));
  const V magic = S::set1(12582912.0f);  // 1.5 * 2^23: adding it rounds to an integer
  const V shifted = S::fma(x, S::set1(1.44269504f), magic);
  const V n = S::sub(shifted, magic);
  V r = S::fnma(n, S::set1(0.693359375f), x);
  r = S::fnma(n, S::set1(-2.12194440e-4f), r);
  V p = S::set1(1.9875691500e-4f);
  p = S::fma(p, r, S::set1(1.3981999507e-3f));
  p = S::fma(p, r, S::set1(8.3334519073e-3f));
  p = S::fma(p, r, S::set1(4.1665795894e-2f));
  p = S::fma(p, r, S::set1(1.6666665459e-1f));
  p = S::fma(p, r, S::set1(5.0000001201e-1f));
  p = S::add(S::fma(p, S::mul(r, r), r), S::set1(1.0f));
  return S::scale_by_power(p, shifted);
}

// x * Phi(x) = max(x, 0) - |x| / 2 * erfc(|x| / sqrt 2), which keeps the tail's relative precision.
template <class S>
[[gnu::always_inline]] inline typename S::V vector_gelu(typename S::V x) {
  using V = typename S::V;
  const V z = S::mul(S::abs(x), S::set1(0.70710678f));
  const V t = S::div(S::set1(1.0f), S::fma(z, S::set1(0.3275911f), S::set1(1.0f)));
  V p = S::set1(1.061405429f);
  p = S::fma(p, t, S::set1(-1.453152027f));
  p = S::fma(p, t, S::set1(1.421413741f));
  p = S::fma(p, t, S::set1(-0.284496736f));
  p = S::fma(p, t, S::set1(0.254829592f));
  const V erfc = S::mul(S::mul(p, t), vector_exp<S>(S::sub(S::zero(), S::mul(z, z))));
  return S::fnma(S::mul(S::abs(x), S::set1(0.5f)), erfc, S::max(S::zero(), x));
}

template <class S>
[[gnu::always_inline]] inline typename S::V vector_sigmoid(typename S::V x) {
  return S::div(S::set1(1.0f), S::add(S::set1(1.0f), vector_exp<S>(S::sub(S::zero(), x))));
}

template <class S>
[[gnu::always_inline]] inline typename S::V vector_tanh(typename S::V x) {
  return S::fma(S::set1(2.0f), vector_sigmoid<S>(S::add(x, x)), S::set1(-1.0f));
}

template <class S>
[[gnu::always_inline]] inline typename S::V vector_gelu_tanh(typename S::V x) {
  using V = typename S::V;
  const V cube = S::mul(S::mul(x, x), x);
  const V inner = S::mul(S::set1(0.79788456f), S::fma(S::set1(0.044715f), cube, x));
  return S::mul(x, vector_sigmoid<S>(S::add(inner, inner)));
}

template <class S>
inline typename S::V vector_activate(typename S::V x, Activation activation) {
  switch (activation) {
    case Activation::kNone:
      return x;
    case Activation::kGelu:
      return vector_gelu<S>(x);
    case Activation::kGeluTanh:
      return vector_gelu_tanh<S>(x);
    case Activation::kRelu:
      return S::max(S::zero(), x);
    case Activation::kTanh:
      return vector_tanh<S>(x);
    case Activation::kSigmoid:
      return vector_sigmoid<S>(x);
    case Activation::kSilu:
      return S::mul(x, vector_sigmoid<S>(x));
  }
  return x;
}

}  // namespace
}  // namespace bouquet::rose::cpu
