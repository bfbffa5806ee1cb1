// A fully connected layer: y = activation(x W^T + b).
#pragma once

#include "rose/ops/ops.h"
#include "rose/weights/weight_reader.h"

namespace bouquet::rose {

struct Linear {
  PackedMatrix weight;           // [n][k]
  std::shared_ptr<Buffer> bias;  // [n] or null

  // Reads NAME.weight and, where the checkpoint has it, NAME.bias.
  static absl::StatusOr<Linear> load(WeightReader& reader, const std::string& name, int32_t n, int32_t k);
  // Several layers over the same input as one: their outputs side by side, each n wide.
  static absl::StatusOr<Linear> load_stacked(WeightReader& reader, const std::vector<std::string>& names, int32_t n,
                                             int32_t k);

  void forward(const ops::Context& context, const Tensor& x, Activation activation, const Tensor& y,
               ops::Rows rows) const;
};

}  // namespace bouquet::rose
