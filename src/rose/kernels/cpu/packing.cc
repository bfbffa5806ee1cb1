// Row-major [n][k] to panels.
#include "rose/kernels/cpu/packing.h"

#include "base/status.h"
#include "rose/kernels/cpu/level.h"

namespace bouquet::rose::cpu {

absl::StatusOr<PackedMatrix> pack_panels(Device& device, DType dtype, int32_t n, int32_t k, const float* weight) {
  PackedMatrix packed{.dtype = k % 2 == 0 ? dtype : DType::kF32, .n = n, .k = k, .data = nullptr};
  const int64_t panels = (n + kPanel - 1) / kPanel;
  ASSIGN_OR_RETURN(packed.data, device.allocate(panels * kPanel * k * size_of(packed.dtype)));
  auto* f32 = static_cast<float*>(packed.data->data());
  auto* bf16 = static_cast<uint16_t*>(packed.data->data());
  for (int64_t row = 0; row < n; ++row) {
    const int64_t base = row / kPanel * kPanel * k;
    const int64_t lane = row % kPanel;
    for (int64_t i = 0; i < k; ++i) {
      const float value = weight[row * k + i];
      if (packed.dtype == DType::kF32) {
        f32[base + i * kPanel + lane] = value;
      } else {
        bf16[base + (i / 2 * kPanel + lane) * 2 + i % 2] = float_to_bf16(value);
      }
    }
  }
  return packed;
}

}  // namespace bouquet::rose::cpu
