// Loading and forward of the heads.
#include "rose/models/heads.h"

#include "base/status.h"
#include "fmt/format.h"

namespace bouquet::rose {
namespace {

// The table of a language model's logits, after choosing the prefix it lies under: one of their own, or the one that
// embeds the words.
absl::StatusOr<std::string> choose_words(WeightReader& reader, bool tied) {
  const std::string own = "lm_head.weight", words = "embed_tokens.weight";
  if (!tied && reader.choose_prefix({"", "model."}, own).ok()) return own;
  RETURN_IF_ERROR(reader.choose_prefix({"", "model.", "model.model."}, words));
  return words;
}

}  // namespace

absl::StatusOr<EmbeddingHead::Dense> EmbeddingHead::load_dense(const DenseModule& module, const WeightPlace& place,
                                                               DType dtype, int32_t width) {
  if (module.in_features != width) {
    return absl::InvalidArgumentError(fmt::format("{}: in_features is {}, the module before gives {}",
                                                  module.weights.string(), module.in_features, width));
  }
  std::error_code ignored;
  const bool is_file = std::filesystem::is_regular_file(module.weights, ignored);
  ASSIGN_OR_RETURN(const Checkpoint checkpoint,
                   is_file ? Checkpoint::open_file(module.weights) : Checkpoint::open(module.weights));
  WeightReader reader(checkpoint, place, dtype);
  RETURN_IF_ERROR(reader.choose_prefix({"linear.", ""}, "weight"));
  int32_t out_features = module.out_features;
  if (out_features == 0) {
    ASSIGN_OR_RETURN(out_features, reader.rows_of("weight"));
  }
  Dense dense{.linear = {}, .activation = module.activation, .output = {}};
  ASSIGN_OR_RETURN(dense.linear, Linear::load(reader, "", out_features, width));
  if (module.alone) {
    RETURN_IF_ERROR(reader.check_all_taken({}));
  }
  return dense;
}

absl::StatusOr<std::unique_ptr<EmbeddingHead>> EmbeddingHead::load(const std::vector<Pooling>& poolings,
                                                                   const std::vector<DenseModule>& dense_modules,
                                                                   const WeightPlace& place, DType dtype,
                                                                   const HeadSizes& sizes) {
  std::unique_ptr<EmbeddingHead> head(new EmbeddingHead(place.device));
  head->poolings_ = poolings;
  head->width_ = sizes.hidden * static_cast<int32_t>(poolings.size());
  ASSIGN_OR_RETURN(head->pooled_, head->workspace_.matrix(sizes.max_rows, head->width_));
  for (const DenseModule& module : dense_modules) {
    ASSIGN_OR_RETURN(Dense dense, load_dense(module, place, dtype, head->width_));
    head->width_ = dense.linear.weight.n;
    ASSIGN_OR_RETURN(dense.output, head->workspace_.matrix(sizes.max_rows, head->width_));
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
  ASSIGN_OR_RETURN(const std::string table, choose_words(reader, false));
  ASSIGN_OR_RETURN(head->difference_, reader.row_difference(table, words.true_id, words.false_id, sizes.hidden));
  ASSIGN_OR_RETURN(head->last_, head->workspace_.matrix(sizes.max_rows, sizes.hidden));
  ASSIGN_OR_RETURN(head->score_, head->workspace_.matrix(sizes.max_rows, 1));
  return head;
}

Tensor LogitScoreHead::forward(const ops::Context& context, const ops::Rows& rows, const Tensor& hidden) {
  ops::pool(context, rows, hidden, Pooling::kLastToken, kNoPadding, last_);
  ops::linear(context, last_, difference_, nullptr, Activation::kNone, score_, rows.count);
  return score_;
}

absl::StatusOr<std::unique_ptr<LanguageModelHead>> LanguageModelHead::load(WeightReader& reader, Device& device,
                                                                           bool tied, int32_t vocab_size,
                                                                           const HeadSizes& sizes) {
  std::unique_ptr<LanguageModelHead> head(new LanguageModelHead(device));
  ASSIGN_OR_RETURN(const std::string words, choose_words(reader, tied));
  ASSIGN_OR_RETURN(head->words_, reader.matrix({words}, "", vocab_size, sizes.hidden));
  ASSIGN_OR_RETURN(head->last_, head->workspace_.matrix(sizes.max_rows, sizes.hidden));
  ASSIGN_OR_RETURN(head->logits_, head->workspace_.matrix(sizes.max_rows, vocab_size));
  return head;
}

Tensor LanguageModelHead::forward(const ops::Context& context, const ops::Rows& rows, const Tensor& hidden) {
  ops::pool(context, rows, hidden, Pooling::kLastToken, kNoPadding, last_);
  ops::linear(context, last_, words_, nullptr, Activation::kNone, logits_, rows.count);
  return logits_;
}

absl::StatusOr<std::unique_ptr<SpladeHead>> SpladeHead::load(WeightReader& reader, Device& device,
                                                             const MaskedLmConfig& config, const Splade& splade,
                                                             const SpladeSizes& sizes) {
  std::unique_ptr<SpladeHead> head(new SpladeHead(device));
  head->config_ = config;
  head->splade_ = splade;
  const std::string encoder_prefix = reader.prefix();
  RETURN_IF_ERROR(reader.choose_prefix({"", encoder_prefix}, config.dense + ".weight"));
  ASSIGN_OR_RETURN(head->dense_, Linear::load(reader, config.dense, sizes.width, sizes.hidden));
  ASSIGN_OR_RETURN(head->norm_, Norm::load(reader, config.norm, sizes.width, {config.norm_kind, config.epsilon, 0}));
  ASSIGN_OR_RETURN(head->bias_, reader.vector(config.bias, sizes.vocab_size));
  const bool untied = !config.decoder.empty() && reader.has(config.decoder);
  if (!untied) {
    RETURN_IF_ERROR(reader.choose_prefix({encoder_prefix}, config.words));
  }
  ASSIGN_OR_RETURN(head->words_,
                   reader.matrix({untied ? config.decoder : config.words}, "", sizes.vocab_size, sizes.width));
  ASSIGN_OR_RETURN(head->inner_, head->workspace_.matrix(sizes.max_tokens, sizes.width));
  ASSIGN_OR_RETURN(head->weights_, head->workspace_.matrix(sizes.max_rows, sizes.vocab_size));
  return head;
}

Tensor SpladeHead::forward(const ops::Context& context, const ops::Rows& rows, const Tensor& hidden) {
  dense_.forward(context, hidden, config_.activation, inner_, context.tokens());
  norm_.forward(context, inner_, {}, {}, inner_);
  VocabularyArgs args{};
  args.x = inner_;
  args.weight = &words_;
  args.bias = floats_of(bias_);
  args.sum = splade_.sum;
  args.logarithms = splade_.logarithms;
  args.y = weights_;
  ops::vocabulary(context, rows, args);
  return weights_;
}

}  // namespace bouquet::rose
