// Heads shared by all encoders: pooling with Dense modules for embeddings, a classifier for scores.
#pragma once

#include <optional>

#include "rose/layers/linear.h"
#include "rose/layers/norm.h"
#include "rose/layers/workspace.h"
#include "rose/models/architecture.h"
#include "rose/models/model.h"
#include "rose/models/model_directory.h"

namespace bouquet::rose {

struct HeadSizes {
  int32_t hidden;
  int64_t max_rows;
  int64_t max_tokens = 0;  // of a batch, where a head computes over them
};

// Poolings side by side, then Dense modules in order; the engine cuts and normalises as each caller asks. A head of
// tokens is the same: each row's span is one token, pooled by itself.
class EmbeddingHead : public Head {
 public:
  // Dense weights are read from their own directories, stored as `dtype`.
  static absl::StatusOr<std::unique_ptr<EmbeddingHead>> load(const std::vector<Pooling>& poolings,
                                                             const std::vector<DenseModule>& dense,
                                                             const WeightPlace& place, DType dtype,
                                                             const HeadSizes& sizes);
  int32_t width() const override { return width_; }
  Tensor forward(const ops::Context& context, const ops::Rows& rows, const Tensor& hidden) override;

 private:
  explicit EmbeddingHead(Device& device) : workspace_(device) {}
  struct Dense {
    Linear linear;
    Activation activation;
    Tensor output;  // [rows][out_features]
  };
  static absl::StatusOr<Dense> load_dense(const DenseModule& module, const WeightPlace& place, DType dtype,
                                          int32_t width);
  Workspace workspace_;
  std::vector<Pooling> poolings_;
  Tensor pooled_;  // [rows][poolings * hidden]
  std::vector<Dense> dense_;
  int32_t width_ = 0;
};

// A pooled vector, maybe through dense + activation and a norm, then a linear layer to one logit a label.
class ClassifierHead : public Head {
 public:
  static absl::StatusOr<std::unique_ptr<ClassifierHead>> load(WeightReader& reader, Device& device,
                                                              const ClassifierConfig& config, int32_t labels,
                                                              const HeadSizes& sizes);
  int32_t width() const override { return logits_.cols; }
  Tensor forward(const ops::Context& context, const ops::Rows& rows, const Tensor& hidden) override;

 private:
  explicit ClassifierHead(Device& device) : workspace_(device) {}
  Workspace workspace_;
  ClassifierConfig config_;
  std::optional<Linear> dense_;
  std::optional<Norm> norm_;
  Linear output_;
  Tensor tokens_;                   // [tokens][hidden] where the dense layer comes first
  Tensor pooled_, inner_, logits_;  // [rows][hidden], [rows][hidden], [rows][labels]
};

// A language model's logit of one word after the last token, less that of another: one score, linear in the state.
class LogitScoreHead : public Head {
 public:
  static absl::StatusOr<std::unique_ptr<LogitScoreHead>> load(WeightReader& reader, Device& device,
                                                              const LogitScore& words, const HeadSizes& sizes);
  int32_t width() const override { return 1; }
  Tensor forward(const ops::Context& context, const ops::Rows& rows, const Tensor& hidden) override;

 private:
  explicit LogitScoreHead(Device& device) : workspace_(device) {}
  Workspace workspace_;
  PackedMatrix difference_;  // [1][hidden]
  Tensor last_, score_;      // [rows][hidden], [rows][1]
};

// A language model's logits of the word after each sequence's last token.
class LanguageModelHead : public Head {
 public:
  // `tied`: see LanguageModel.
  static absl::StatusOr<std::unique_ptr<LanguageModelHead>> load(WeightReader& reader, Device& device, bool tied,
                                                                 int32_t vocab_size, const HeadSizes& sizes);
  int32_t width() const override { return words_.n; }
  Tensor forward(const ops::Context& context, const ops::Rows& rows, const Tensor& hidden) override;

 private:
  explicit LanguageModelHead(Device& device) : workspace_(device) {}
  Workspace workspace_;
  PackedMatrix words_;    // [vocab][hidden]
  Tensor last_, logits_;  // [rows][hidden], [rows][vocab]
};

struct SpladeSizes {
  int32_t hidden;
  int32_t width;  // of a word: what the head projects to
  int32_t vocab_size;
  int64_t max_rows;
  int64_t max_tokens;
};

// A masked language model's head over every token, pooled to one weight for each entry of the vocabulary (SPLADE).
class SpladeHead : public Head {
 public:
  // The reader has the encoder's prefix.
  static absl::StatusOr<std::unique_ptr<SpladeHead>> load(WeightReader& reader, Device& device,
                                                          const MaskedLmConfig& config, const Splade& splade,
                                                          const SpladeSizes& sizes);
  int32_t width() const override { return weights_.cols; }
  Tensor forward(const ops::Context& context, const ops::Rows& rows, const Tensor& hidden) override;

 private:
  explicit SpladeHead(Device& device) : workspace_(device) {}
  Workspace workspace_;
  MaskedLmConfig config_;
  Splade splade_;
  Linear dense_;
  Norm norm_;
  PackedMatrix words_;            // [vocab][width]
  std::shared_ptr<Buffer> bias_;  // [vocab]
  Tensor inner_, weights_;        // [tokens][width], [rows][vocab]
};

}  // namespace bouquet::rose
