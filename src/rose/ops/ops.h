// What layers compute with: the kernels of whatever back end is linked, called with a context instead of a stream, a
// device counter and a table each. Every call enqueues and returns.
#pragma once

#include "rose/kernels/kernels.h"

namespace bouquet::rose::ops {

// One forward pass on one stream.
struct Context {
  Stream& stream;
  const Kernels& kernels;
  const int32_t* ids = nullptr;          // [tokens], in device memory, like all below
  const int32_t* token_types = nullptr;  // [tokens]
  const int32_t* positions = nullptr;    // [tokens] in each token's own sequence
  const int32_t* cu_seqlens = nullptr;   // [sequences + 1]
  const int32_t* key_counts = nullptr;   // [sequences] leading tokens that others see
  const int32_t* past = nullptr;    // [sequences] tokens that earlier batches left in pages, where layers have them
  const int32_t* tables = nullptr;  // [sequences][table_width] each sequence's blocks of pages
  int32_t table_width = 0;
  const Live* live = nullptr;

  const int32_t* tokens() const { return &live->tokens; }  // the row count of most matrices
};

// The rows of the result that one head computes, in device memory.
struct Rows {
  const RowPlan* plans;  // [count]
  const int32_t* count;
};

// y = scale * words[id] + places[position] + types[token type], [tokens][hidden]; a table without data adds nothing
struct EmbeddingTables {
  Tensor words;
  float scale;
  Tensor places;
  Tensor types;
};
void embed(const Context& context, const EmbeddingTables& tables, const Tensor& y);

// y = activation(x W^T + bias)
void linear(const Context& context, const Tensor& x, const PackedMatrix& weight, const float* bias,
            Activation activation, const Tensor& y, const int32_t* rows);

// Positions and sequences in these arguments are filled in from the context.
void norm(const Context& context, const NormArgs& args);
void gate(const Context& context, const Tensor& x, Activation activation, const Tensor& y);
void rope(const Context& context, const RopeArgs& args);
// Over pages where args.pages has any, which keep the batch's own keys and values.
void attention(const Context& context, const AttentionArgs& args);

// `padding`: see PoolArgs.
void pool(const Context& context, const Rows& rows, const Tensor& x, Pooling pooling, int32_t padding, const Tensor& y);

// The matrix and how it is pooled come from `args`; rows are filled in.
void vocabulary(const Context& context, const Rows& rows, const VocabularyArgs& args);

// The rows the caller asked for: cut to their dimensions, then scaled to unit length where wanted.
void finish(const Context& context, const Rows& rows, const Tensor& x, const Tensor& y);

}  // namespace bouquet::rose::ops
