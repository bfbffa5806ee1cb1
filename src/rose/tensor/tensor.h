// A view of a row-major matrix in device memory. It owns nothing; how many rows are live is told apart, by a device
// counter (kernels/kernels.h, Live), so that a captured graph serves batches of different sizes.
#pragma once

#include <cstdint>

#include "rose/tensor/dtype.h"

namespace bouquet::rose {

struct Tensor {
  void* data = nullptr;
  DType dtype = DType::kF32;
  int32_t cols = 0;
  int32_t stride = 0;  // elements from one row to the next, at least cols

  float* f32() const { return static_cast<float*>(data); }
  float* f32_row(int64_t row) const { return f32() + row * stride; }
  // Columns [first, first + count) of an f32 matrix.
  Tensor columns(int64_t first, int32_t count) const { return {f32() + first, dtype, count, stride}; }
};

}  // namespace bouquet::rose
