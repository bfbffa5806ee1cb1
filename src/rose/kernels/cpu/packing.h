// Weights into panels of 16 outputs, the one layout that every x86 level computes with: f32 [n/16][k][16] or bf16
// [n/16][k/2][16][2]. Outputs past n are zeros.
#pragma once

#include "rose/kernels/kernels.h"

namespace bouquet::rose::cpu {

// An odd k is stored as f32 whatever `dtype` says: bf16 panels hold pairs of k.
absl::StatusOr<PackedMatrix> pack_panels(Device& device, DType dtype, int32_t n, int32_t k, const float* weight);

}  // namespace bouquet::rose::cpu
