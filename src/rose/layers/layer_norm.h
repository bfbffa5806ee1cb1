// Layer normalisation with an optional residual (Ba et al. 2016).
#pragma once

#include "rose/ops/ops.h"
#include "rose/weights/weight_reader.h"

namespace bouquet::rose {

struct LayerNorm {
  std::shared_ptr<Buffer> gamma;  // [hidden]
  std::shared_ptr<Buffer> beta;   // [hidden]
  float epsilon = 0;

  // Reads NAME.weight and NAME.bias (or NAME.gamma and NAME.beta).
  static absl::StatusOr<LayerNorm> load(WeightReader& reader, const std::string& name, int32_t hidden, float epsilon);

  // y = LayerNorm(x + residual); y may be x or residual. `residual` without data: none.
  void forward(const ops::Context& context, const Tensor& x, const Tensor& residual, const Tensor& y) const;
};

}  // namespace bouquet::rose
