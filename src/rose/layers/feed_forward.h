// A position-wise feed-forward network: y = activation(x U^T + b) D^T + c, or gated: y = (activation(x G^T) * x U^T)
// D^T (Shazeer 2020).
#pragma once

#include "rose/layers/linear.h"
#include "rose/layers/workspace.h"

namespace bouquet::rose {

struct FeedForwardConfig {
  int32_t hidden = 0;
  int32_t intermediate = 0;
  Activation activation = Activation::kGelu;
  bool gated = false;
};

// Without the suffixes .weight and .bias.
struct FeedForwardNames {
  Stack up;  // gated: what is activated, then what it multiplies
  std::string down;
};

// Shared by all layers of a model.
struct FeedForwardActivations {
  Tensor up;     // [tokens][2 * intermediate] where gated, else none
  Tensor inner;  // [tokens][intermediate]

  static absl::StatusOr<FeedForwardActivations> create(Workspace& workspace, const FeedForwardConfig& config,
                                                       int64_t tokens);
};

class FeedForward {
 public:
  static absl::StatusOr<FeedForward> load(WeightReader& reader, const FeedForwardNames& names,
                                          const FeedForwardConfig& config);
  // x, y [tokens][hidden]; y may be x.
  void forward(const ops::Context& context, const FeedForwardActivations& a, const Tensor& x, const Tensor& y) const;

 private:
  FeedForwardConfig config_;
  Linear up_, down_;
};

}  // namespace bouquet::rose
