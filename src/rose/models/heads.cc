// Loading and forward of the heads.
#include "rose/models/heads.h"

#include "base/status.h"
#include "fmt/format.h"

namespace bouquet::rose {

absl::StatusOr<std::unique_ptr<EmbeddingHead>> EmbeddingHead::load(const std::vector<Pooling>& poolings,
                                                                   const std::vector<DenseModule>& dense_modules,
                                                                   const WeightPlace& place, DType dtype,
                                                                   const HeadSizes& sizes) {
  std::unique_ptr<EmbeddingHead> head(new EmbeddingHead(place.device));
  head->poolings_ = poolings;
  head->width_ = sizes.hidden * static_cast<int32_t>(poolings.size());
  ASSIGN_OR_RETURN(head->pooled_, head->workspace_.matrix(sizes.max_rows, head->width_));
  for (const DenseModule& module : dense_modules) {
    if (module.in_features != head->width_) {
      return absl::InvalidArgumentError(fmt::format("{}: in_features is {}, the module before gives {}",
                                                    module.directory.string(), module.in_features, head->width_));
    }
    ASSIGN_OR_RETURN(const Checkpoint checkpoint, Checkpoint::open(module.directory));
    WeightReader reader(checkpoint, place, dtype);
    Dense dense{.linear = {}, .activation = module.activation, .output = {}};
    ASSIGN_OR_RETURN(dense.linear, Linear::load(reader, "linear", module.out_features, module.in_features));
    RETURN_IF_ERROR(reader.check_all_taken({}));
    ASSIGN_OR_RETURN(dense.output, head->workspace_.matrix(sizes.max_rows, module.out_features));
    head->width_ = module.out_features;
    head->dense_.push_back(std::move(dense));
  }
  return head;
}

Tensor EmbeddingHead::forward(const ops::Context& context, const ops::Rows& rows, const Tensor& hidden) {
  Tensor slice = pooled_;
  slice.cols = hidden.cols;
  for (const Pooling pooling : poolings_) {
    ops::pool(context, rows, hidden, pooling, kNoPadding, slice);
    slice.data = slice.f32() + hidden.cols;
  }
  Tensor x = pooled_;
  for (const Dense& dense : dense_) {
    dense.linear.forward(context, x, dense.activation, dense.output, rows.count);
    x = dense.output;
  }
  return x;
}

absl::StatusOr<std::unique_ptr<ClassifierHead>> ClassifierHead::load(WeightReader& reader, Device& device,
                                                                     const ClassifierConfig& config, int32_t labels,
                                                                     const HeadSizes& sizes) {
  std::unique_ptr<ClassifierHead> head(new ClassifierHead(device));
  head->config_ = config;
  const int32_t hidden = sizes.hidden;
  if (!config.dense.empty()) {
    if (!reader.has(config.dense + ".weight")) RETURN_IF_ERROR(reader.choose_prefix({""}, config.dense + ".weight"));
    ASSIGN_OR_RETURN(head->dense_, Linear::load(reader, config.dense, hidden, hidden));
  }
  RETURN_IF_ERROR(reader.choose_prefix({"", "model."}, config.output + ".weight"));
  if (!config.norm.empty()) {
    ASSIGN_OR_RETURN(head->norm_, Norm::load(reader, config.norm, hidden, {config.norm_kind, config.epsilon, 0}));
  }
  ASSIGN_OR_RETURN(head->output_, Linear::load(reader, config.output, labels, hidden));
  if (config.dense_first) {
    ASSIGN_OR_RETURN(head->tokens_, head->workspace_.matrix(sizes.max_tokens, hidden));
  }
  ASSIGN_OR_RETURN(head->pooled_, head->workspace_.matrix(sizes.max_rows, hidden));
  ASSIGN_OR_RETURN(head->inner_, head->workspace_.matrix(sizes.max_rows, hidden));
  ASSIGN_OR_RETURN(head->logits_, head->workspace_.matrix(sizes.max_rows, labels));
  return head;
}

Tensor ClassifierHead::forward(const ops::Context& context, const ops::Rows& rows, const Tensor& hidden) {
  if (config_.dense_first) dense_->forward(context, hidden, config_.activation, tokens_, context.tokens());
  ops::pool(context, rows, config_.dense_first ? tokens_ : hidden, config_.pooling, config_.padding, pooled_);
  Tensor x = pooled_;
  if (dense_ && !config_.dense_first) {
    dense_->forward(context, x, config_.activation, inner_, rows.count);
    x = inner_;
  }
  if (norm_) norm_->forward(context, x, x, rows.count);
  output_.forward(context, x, Activation::kNone, logits_, rows.count);
  return logits_;
}

absl::StatusOr<std::unique_ptr<LogitScoreHead>> LogitScoreHead::load(WeightReader& reader, Device& device,
                                                                     const LogitScore& words, const HeadSizes& sizes) {
  std::unique_ptr<LogitScoreHead> head(new LogitScoreHead(device));
  if (const absl::Status untied = reader.choose_prefix({"", "model."}, "lm_head.weight"); untied.ok()) {
    ASSIGN_OR_RETURN(head->difference_,
                     reader.row_difference("lm_head.weight", words.true_id, words.false_id, sizes.hidden));
  } else {
    RETURN_IF_ERROR(reader.choose_prefix({"", "model.", "model.model."}, "embed_tokens.weight"));
    ASSIGN_OR_RETURN(head->difference_,
                     reader.row_difference("embed_tokens.weight", words.true_id, words.false_id, sizes.hidden));
  }
  ASSIGN_OR_RETURN(head->last_, head->workspace_.matrix(sizes.max_rows, sizes.hidden));
  ASSIGN_OR_RETURN(head->score_, head->workspace_.matrix(sizes.max_rows, 1));
  return head;
}

Tensor LogitScoreHead::forward(const ops::Context& context, const ops::Rows& rows, const Tensor& hidden) {
  ops::pool(context, rows, hidden, Pooling::kLastToken, kNoPadding, last_);
  ops::linear(context, last_, difference_, nullptr, Activation::kNone, score_, rows.count);
  return score_;
}

}  // namespace bouquet::rose
