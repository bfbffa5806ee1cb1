// A fully connected layer: y = activation(x W^T + b).
#pragma once

#include "rose/ops/ops.h"
#include "rose/weights/weight_reader.h"

namespace bouquet::rose {

struct Linear {
  PackedMatrix weight;           // [n][k]
  std::shared_ptr<Buffer> bias;  // [n] or null

  // Reads each part's NAME.weight and, where the checkpoint has it, NAME.bias: several layers over the same input
  // become one, their outputs side by side.
  static absl::StatusOr<Linear> load(WeightReader& reader, const Stack& parts, int32_t n, int32_t k);
  static absl::StatusOr<Linear> load(WeightReader& reader, const std::string& name, int32_t n, int32_t k);

  void forward(const ops::Context& context, const Tensor& x, Activation activation, const Tensor& y,
               const int32_t* rows) const;
};

}  // namespace bouquet::rose
