// Fills each kernel's arguments from the context.
#include "rose/ops/ops.h"

#include <cmath>

namespace bouquet::rose::ops {
namespace {

const int32_t* counter(const Context& context, Rows rows) {
  return rows == Rows::kTokens ? &context.live->tokens : &context.live->sequences;
}

}  // namespace

void embed(const Context& context, const EmbeddingTables& tables, const Tensor& y) {
  context.kernels.embed(context.stream, {context.ids, context.token_types, context.cu_seqlens, tables.words,
                                         tables.positions, tables.types, y.cols, y, context.live});
}

void linear(const Context& context, const Tensor& x, const PackedMatrix& weight, const float* bias,
            Activation activation, const Tensor& y, Rows rows) {
  context.kernels.linear(context.stream, {x, &weight, bias, activation, y, counter(context, rows)});
}

void layer_norm(const Context& context, const LayerNormArgs& args, Rows rows) {
  LayerNormArgs counted = args;
  counted.rows = counter(context, rows);
  context.kernels.layer_norm(context.stream, counted);
}

void attention(const Context& context, const Tensor& qkv, int32_t heads, int32_t head_dim, const Tensor& y) {
  const float scale = 1.0f / std::sqrt(static_cast<float>(head_dim));
  context.kernels.attention(context.stream, {qkv, context.cu_seqlens, heads, head_dim, scale, y, context.live});
}

void pool(const Context& context, const Tensor& x, Pooling pooling, const Tensor& y) {
  context.kernels.pool(context.stream, {x, context.cu_seqlens, pooling, y, context.live});
}

void finish(const Context& context, const Tensor& x, const Tensor& y) {
  context.kernels.finish(context.stream, {x, context.dimensions, context.normalize, y, context.live});
}

}  // namespace bouquet::rose::ops
