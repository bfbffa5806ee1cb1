// A layer's own view of the embedding, gated into the stream after its other sublayers (per-layer embeddings of Gemma
// 3n and 4, here without a table of words of their own): y = norm((activation(x G^T) * u) P^T), where u is the layer's
// share of a projection of the embedding, normalised.
#pragma once

#include "rose/layers/linear.h"
#include "rose/layers/norm.h"
#include "rose/layers/workspace.h"

namespace bouquet::rose {

struct PerLayerInputConfig {
  int32_t hidden = 0;
  int32_t width = 0;  // of a layer's share
  Activation activation = Activation::kGeluTanh;
  NormConfig norm;        // of what is added
  NormConfig share_norm;  // of the share
};

// Without the suffix .weight.
struct PerLayerInputNames {
  std::string share_norm;  // one for all layers
  std::string gate;
  std::string projection;
  std::string norm;
};

// Shared by all layers of a model.
struct PerLayerActivations {
  Tensor shares;  // [tokens][layers * width] the embedding's projection
  Tensor pair;    // [tokens][2 * width] what is activated, then what it multiplies
  Tensor inner;   // [tokens][width]

  static absl::StatusOr<PerLayerActivations> create(Workspace& workspace, int32_t layers, int32_t width,
                                                    int64_t tokens);
};

class PerLayerInput {
 public:
  static absl::StatusOr<PerLayerInput> load(WeightReader& reader, const PerLayerInputNames& names,
                                            const PerLayerInputConfig& config);
  // x, y [tokens][hidden]; `layer`: whose share of a.shares.
  void forward(const ops::Context& context, const PerLayerActivations& a, int32_t layer, const Tensor& x,
               const Tensor& y) const;

 private:
  PerLayerInputConfig config_;
  Norm share_norm_;
  Linear gate_, projection_;
  Norm norm_;
};

}  // namespace bouquet::rose
