// Each weight lands where the layout says, edges are zero.
#include "rose/kernels/cpu/packing.h"

#include "gtest/gtest.h"
#include "rose/device/cpu/cpu_device.h"

namespace bouquet::rose::cpu {
namespace {

TEST(Packing, PanelsOfSixteenOutputs) {
  CpuDevice device({.threads = 1});
  std::vector<float> weight(17 * 4);
  for (size_t i = 0; i < weight.size(); ++i) weight[i] = static_cast<float>(i + 1);
  const PackedMatrix f32 = *pack_panels(device, DType::kF32, 17, 4, weight.data());
  const auto* at = static_cast<const float*>(f32.data->data());
  EXPECT_EQ(at[2 * 16 + 5], weight[5 * 4 + 2]);
  EXPECT_EQ(at[16 * 4 + 3 * 16 + 0], weight[16 * 4 + 3]);
  EXPECT_EQ(at[16 * 4 + 3 * 16 + 1], 0.0f);
  const PackedMatrix bf16 = *pack_panels(device, DType::kBF16, 17, 4, weight.data());
  const auto* pairs = static_cast<const uint16_t*>(bf16.data->data());
  EXPECT_EQ(bf16_to_float(pairs[(1 * 16 + 5) * 2 + 1]), weight[5 * 4 + 3]);
}

TEST(Packing, OddDepthFallsBackToF32) {
  CpuDevice device({.threads = 1});
  const std::vector<float> weight(3, 1.0f);
  EXPECT_EQ(pack_panels(device, DType::kBF16, 1, 3, weight.data())->dtype, DType::kF32);
}

}  // namespace
}  // namespace bouquet::rose::cpu
