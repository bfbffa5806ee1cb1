// Heads shared by all encoders: pooling with Dense modules for embeddings, and BERT's classifier for scores.
#pragma once

#include "rose/layers/linear.h"
#include "rose/layers/workspace.h"
#include "rose/models/model.h"
#include "rose/models/model_directory.h"

namespace bouquet::rose {

// Poolings side by side, then the Dense modules in order; the engine cuts and normalises as each caller asks.
class EmbeddingHead : public Head {
 public:
  // Dense weights are read from their own directories, stored as `dtype`.
  static absl::StatusOr<std::unique_ptr<EmbeddingHead>> load(const ModelDirectory& directory, const WeightPlace& place,
                                                             DType dtype, int32_t hidden, int64_t max_sequences);
  int32_t width() const override { return width_; }
  Tensor forward(const ops::Context& context, const Tensor& hidden) override;

 private:
  explicit EmbeddingHead(Device& device) : workspace_(device) {}
  struct Dense {
    Linear linear;
    Activation activation;
    Tensor output;  // [sequences][out_features]
  };
  Workspace workspace_;
  std::vector<Pooling> poolings_;
  Tensor pooled_;  // [sequences][poolings * hidden]
  std::vector<Dense> dense_;
  int32_t width_ = 0;
};

// The first token through dense + tanh (BERT's pooler), then a linear layer to one logit a label.
class ClassifierHead : public Head {
 public:
  static absl::StatusOr<std::unique_ptr<ClassifierHead>> load(WeightReader& reader, Device& device, int32_t hidden,
                                                              int32_t labels, int64_t max_sequences);
  int32_t width() const override { return labels_; }
  Tensor forward(const ops::Context& context, const Tensor& hidden) override;

 private:
  explicit ClassifierHead(Device& device) : workspace_(device) {}
  Workspace workspace_;
  Linear pooler_, classifier_;
  Tensor first_, pooled_, logits_;  // [sequences][hidden], [sequences][hidden], [sequences][labels]
  int32_t labels_ = 0;
};

}  // namespace bouquet::rose
