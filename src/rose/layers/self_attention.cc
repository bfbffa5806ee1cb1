// Self-attention in the paper's order.
#include "rose/layers/self_attention.h"

#include "base/status.h"

namespace bouquet::rose {

absl::StatusOr<AttentionActivations> AttentionActivations::create(Workspace& workspace, const HeadShape& shape,
                                                                  int64_t tokens) {
  AttentionActivations a;
  ASSIGN_OR_RETURN(a.qkv, workspace.matrix(tokens, shape.row_width()));
  ASSIGN_OR_RETURN(a.context, workspace.matrix(tokens, shape.query_width()));
  return a;
}

absl::StatusOr<std::shared_ptr<const KeyValueCache>> KeyValueCache::create(Device& device, const HeadShape& shape,
                                                                           int32_t blocks) {
  auto cache = std::make_shared<KeyValueCache>();
  const size_t bytes = static_cast<size_t>(blocks) * static_cast<size_t>(block_values(shape)) * sizeof(float);
  ASSIGN_OR_RETURN(cache->keys, device.allocate(bytes));
  ASSIGN_OR_RETURN(cache->values, device.allocate(bytes));
  return cache;
}

absl::StatusOr<SelfAttention> SelfAttention::load(WeightReader& reader, const AttentionNames& names,
                                                  const AttentionConfig& config) {
  SelfAttention layer;
  layer.config_ = config;
  ASSIGN_OR_RETURN(layer.qkv_, Linear::load(reader, names.qkv, config.shape.row_width(), config.hidden));
  ASSIGN_OR_RETURN(layer.output_, Linear::load(reader, names.output, config.hidden, config.shape.query_width()));
  if (!names.wide_query_norm.empty()) {
    const int32_t width = config.shape.query_width();
    ASSIGN_OR_RETURN(layer.wide_query_norm_, Norm::load(reader, names.wide_query_norm, width, config.wide_norm));
    ASSIGN_OR_RETURN(layer.wide_key_norm_, Norm::load(reader, names.wide_key_norm, width, config.wide_norm));
  }
  if (names.query_norm.empty()) return layer;
  const float offset = config.head_norm.gamma_offset;
  ASSIGN_OR_RETURN(layer.query_gamma_, reader.vector(names.query_norm + ".weight", config.shape.head_dim, offset));
  ASSIGN_OR_RETURN(layer.key_gamma_, reader.vector(names.key_norm + ".weight", config.shape.head_dim, offset));
  return layer;
}

// Queries and keys of equally many heads, in place.
void SelfAttention::normalize_wide(const ops::Context& context, const Tensor& qkv) const {
  const int32_t width = config_.shape.query_width();
  const Tensor queries = qkv.columns(0, width), keys = qkv.columns(width, width);
  wide_query_norm_->forward(context, queries, {}, {}, queries);
  wide_key_norm_->forward(context, keys, {}, {}, keys);
}

// In place, a head at a time.
void SelfAttention::normalize_values(const ops::Context& context, const Tensor& qkv) const {
  const HeadShape& shape = config_.shape;
  const Norm norm{.config = {NormKind::kRms, config_.head_norm.epsilon, 0}, .gamma = nullptr, .beta = nullptr};
  for (int32_t head = 0; head < shape.kv_heads; ++head) {
    const int32_t first = (shape.heads + shape.kv_heads + head) * shape.head_dim;
    const Tensor values = qkv.columns(first, shape.head_dim);
    norm.forward(context, values, values, context.tokens());
  }
}

// Head norms and rotary positions, in place.
void SelfAttention::place(const ops::Context& context, const Tensor& qkv) const {
  RopeArgs args{};
  args.qkv = qkv;
  args.shape = config_.shape;
  args.query_gamma = floats_of(query_gamma_);
  args.key_gamma = floats_of(key_gamma_);
  args.epsilon = config_.head_norm.epsilon;
  if (config_.rope) {
    args.rotary_dim = config_.rope->rotary_dim;
    args.cosines = floats_of(config_.rope->cosines);
    args.sines = floats_of(config_.rope->sines);
  }
  ops::rope(context, args);
}

Disentangled SelfAttention::disentangled() const {
  const RelativePlaces& p = config_.places;
  const int32_t width = config_.shape.query_width();
  const auto table = [&](const std::shared_ptr<Buffer>& buffer) {
    return buffer ? Tensor{buffer->data(), DType::kF32, width, width} : Tensor{};
  };
  return {table(p.keys), table(p.queries), p.places, static_cast<const int32_t*>(p.rows->data()), p.reach};
}

void SelfAttention::forward(const ops::Context& context, const AttentionActivations& a, const Tensor& x,
                            const Tensor& y) const {
  const Tensor qkv = a.qkv.columns(0, config_.shape.row_width());  // they may be for wider layers too
  const Tensor heads = a.context.columns(0, config_.shape.query_width());
  qkv_.forward(context, x, Activation::kNone, qkv, context.tokens());
  if (wide_query_norm_) normalize_wide(context, qkv);
  if (config_.value_norm) normalize_values(context, qkv);
  if (config_.rope || query_gamma_) place(context, qkv);
  AttentionArgs args{};
  args.qkv = qkv;
  args.shape = config_.shape;
  args.scale = config_.scale;
  args.left = config_.left;
  args.right = config_.right;
  if (config_.bias) {
    args.distance_bias = floats_of(config_.bias->values);
    args.reach = config_.bias->reach;
  }
  if (config_.places.places > 0) args.disentangled = disentangled();
  if (config_.cache) {
    args.pages.keys = static_cast<float*>(config_.cache->keys->data());
    args.pages.values = static_cast<float*>(config_.cache->values->data());
  }
  args.y = heads;
  ops::attention(context, args);
  output_.forward(context, heads, Activation::kNone, y, context.tokens());
}

}  // namespace bouquet::rose
