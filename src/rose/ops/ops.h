// What layers compute with: the kernels of whatever back end is linked, called with a context instead of a stream, a
// device counter and a table each. Every call enqueues and returns.
#pragma once

#include "rose/kernels/kernels.h"

namespace bouquet::rose::ops {

// One forward pass on one stream.
struct Context {
  Stream& stream;
  const Kernels& kernels;
  const int32_t* ids;          // [tokens], in device memory, like all below
  const int32_t* token_types;  // [tokens]
  const int32_t* cu_seqlens;   // [sequences + 1]
  const int32_t* dimensions;   // [sequences]
  const int32_t* normalize;    // [sequences]
  const Live* live;
};

enum class Rows { kTokens, kSequences };  // what a matrix has one row for

// y = words[id] + positions[place in its sequence] + types[token type], [tokens][hidden]; tables in f32
struct EmbeddingTables {
  const float* words;
  const float* positions;
  const float* types;
};
void embed(const Context& context, const EmbeddingTables& tables, const Tensor& y);

// y = activation(x W^T + bias)
void linear(const Context& context, const Tensor& x, const PackedMatrix& weight, const float* bias,
            Activation activation, const Tensor& y, Rows rows);

// y = LayerNorm(x + residual); `residual` without data: none
void layer_norm(const Context& context, const LayerNormArgs& args, Rows rows);

// y = softmax(q k^T / sqrt(head_dim)) v per head and sequence; qkv is [tokens][3][heads][head_dim]
void attention(const Context& context, const Tensor& qkv, int32_t heads, int32_t head_dim, const Tensor& y);

void pool(const Context& context, const Tensor& x, Pooling pooling, const Tensor& y);

// The rows the caller asked for: cut to their dimensions, then scaled to unit length where wanted.
void finish(const Context& context, const Tensor& x, const Tensor& y);

}  // namespace bouquet::rose::ops
