// Layer or RMS normalisation, with an optional residual.
#pragma once

#include "rose/ops/ops.h"
#include "rose/weights/weight_reader.h"

namespace bouquet::rose {

struct NormConfig {
  NormKind kind = NormKind::kLayer;
  float epsilon = 0;
  float gamma_offset = 0;  // added to the checkpoint's gamma: Gemma stores gamma - 1
};

struct Norm {
  NormConfig config;
  std::shared_ptr<Buffer> gamma;  // [hidden]
  std::shared_ptr<Buffer> beta;   // [hidden] or null

  // Reads NAME.weight and, where the checkpoint has it, NAME.bias (or NAME.gamma and NAME.beta).
  static absl::StatusOr<Norm> load(WeightReader& reader, const std::string& name, int32_t hidden,
                                   const NormConfig& config);

  // Over all tokens: sum = x + residual; y = norm of it. `residual` without data: none; `sum` without data: not kept. y
  // may be x or residual; sum too.
  void forward(const ops::Context& context, const Tensor& x, const Tensor& residual, const Tensor& sum,
               const Tensor& y) const;
  // y = norm of x, over so many rows; y may be x.
  void forward(const ops::Context& context, const Tensor& x, const Tensor& y, const int32_t* rows) const;

 private:
  NormArgs args_over(const Tensor& x, const Tensor& y, const int32_t* rows) const;
};

}  // namespace bouquet::rose
