// Vectors of 4 floats through the compiler's own vector type: runs on any x86-64 (and elsewhere), no intrinsics.
// max and min return their second operand when either is NaN, so that NaN passes through clamps.
#pragma once

#include <cstdint>
#include <cstring>

namespace bouquet::rose::cpu {
namespace {

struct Simd {
  typedef float V __attribute__((vector_size(16)));
  typedef int32_t I __attribute__((vector_size(16)));
  typedef uint32_t U __attribute__((vector_size(16)));
  static constexpr int kLanes = 4;
  static constexpr int kTileRows = 2;

  static V zero() { return V{}; }
  static V set1(float x) { return V{x, x, x, x}; }
  static V load(const float* p) {
    V v;
    std::memcpy(&v, p, sizeof(v));
    return v;
  }
  static void store(float* p, V v) { std::memcpy(p, &v, sizeof(v)); }
  static V add(V a, V b) { return a + b; }
  static V sub(V a, V b) { return a - b; }
  static V mul(V a, V b) { return a * b; }
  static V div(V a, V b) { return a / b; }
  static V fma(V a, V b, V c) { return a * b + c; }
  static V fnma(V a, V b, V c) { return c - a * b; }
  static V max(V a, V b) { return a > b ? a : b; }
  static V min(V a, V b) { return a < b ? a : b; }
  static V abs(V a) { return reinterpret_cast<V>(reinterpret_cast<I>(a) & 0x7fffffff); }
  // p * 2^n, where n is the integer in the low bits of `shifted` = n + 1.5 * 2^23.
  static V scale_by_power(V p, V shifted) {
    return reinterpret_cast<V>(reinterpret_cast<I>(p) + (reinterpret_cast<I>(shifted) << 23));
  }
  static V load_bf16(const uint16_t* p) {
    const U wide = {p[0], p[1], p[2], p[3]};
    return reinterpret_cast<V>(wide << 16);
  }
  static void widen_pair(const uint16_t* p, V& even, V& odd) {
    U pairs;
    std::memcpy(&pairs, p, sizeof(pairs));
    even = reinterpret_cast<V>(pairs << 16);
    odd = reinterpret_cast<V>(pairs & 0xffff0000u);
  }
  static float sum(V v) { return (v[0] + v[2]) + (v[1] + v[3]); }
  static float top(V v) {
    const float a = v[0] > v[1] ? v[0] : v[1], b = v[2] > v[3] ? v[2] : v[3];
    return a > b ? a : b;
  }
  [[gnu::always_inline]] static void prefetch(const void* p) { __builtin_prefetch(p); }
  [[gnu::always_inline]] static void prefetch_far(const void* p) { __builtin_prefetch(p, 0, 2); }  // into L2
};

}  // namespace
}  // namespace bouquet::rose::cpu
