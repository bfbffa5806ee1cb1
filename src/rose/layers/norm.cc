// Scale and shift by name, then one op.
#include "rose/layers/norm.h"

#include "base/status.h"

namespace bouquet::rose {

absl::StatusOr<Norm> Norm::load(WeightReader& reader, const std::string& name, int32_t hidden,
                                const NormConfig& config) {
  Norm norm{.config = config, .gamma = nullptr, .beta = nullptr};
  ASSIGN_OR_RETURN(norm.gamma, reader.vector(name + ".weight", hidden, config.gamma_offset));
  if (reader.has(name + ".bias")) {
    ASSIGN_OR_RETURN(norm.beta, reader.vector(name + ".bias", hidden));
  }
  return norm;
}

NormArgs Norm::args_over(const Tensor& x, const Tensor& y, const int32_t* rows) const {
  return {.kind = config.kind,
          .x = x,
          .residual = {},
          .sum = {},
          .gamma = floats_of(gamma),
          .beta = floats_of(beta),
          .epsilon = config.epsilon,
          .y = y,
          .rows = rows};
}

void Norm::forward(const ops::Context& context, const Tensor& x, const Tensor& residual, const Tensor& sum,
                   const Tensor& y) const {
  NormArgs args = args_over(x, y, context.tokens());
  args.residual = residual;
  args.sum = sum;
  ops::norm(context, args);
}

void Norm::forward(const ops::Context& context, const Tensor& x, const Tensor& y, const int32_t* rows) const {
  ops::norm(context, args_over(x, y, rows));
}

}  // namespace bouquet::rose
