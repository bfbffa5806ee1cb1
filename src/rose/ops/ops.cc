// Fills each kernel's arguments from the context.
#include "rose/ops/ops.h"

namespace bouquet::rose::ops {
void embed(const Context& context, const EmbeddingTables& tables, const Tensor& y) {
  context.kernels.embed(context.stream, {context.ids, context.token_types, context.positions, tables.words,
                                         tables.scale, tables.places, tables.types, y, context.live});
}

void linear(const Context& context, const Tensor& x, const PackedMatrix& weight, const float* bias,
            Activation activation, const Tensor& y, const int32_t* rows) {
  context.kernels.linear(context.stream, {x, &weight, bias, activation, y, rows});
}

void norm(const Context& context, const NormArgs& args) { context.kernels.norm(context.stream, args); }

void gate(const Context& context, const Tensor& x, Activation activation, const Tensor& y) {
  context.kernels.gate(context.stream, {x, activation, y, &context.live->tokens});
}

void rope(const Context& context, const RopeArgs& args) {
  RopeArgs placed = args;
  placed.positions = context.positions;
  placed.live = context.live;
  context.kernels.rope(context.stream, placed);
}

void attention(const Context& context, const AttentionArgs& args) {
  AttentionArgs placed = args;
  placed.cu_seqlens = context.cu_seqlens;
  placed.key_counts = context.key_counts;
  placed.live = context.live;
  if (!args.pages.keys) return context.kernels.attention(context.stream, placed);
  placed.pages.tables = context.tables;
  placed.pages.table_width = context.table_width;
  placed.pages.past = context.past;
  context.kernels.store(context.stream, placed);
  context.kernels.paged_attention(context.stream, placed);
}

void pool(const Context& context, const Rows& rows, const Tensor& x, Pooling pooling, int32_t padding,
          const Tensor& y) {
  context.kernels.pool(context.stream, {x, context.ids, rows.plans, rows.count, pooling, padding, y});
}

void vocabulary(const Context& context, const Rows& rows, const VocabularyArgs& args) {
  VocabularyArgs placed = args;
  placed.plans = rows.plans;
  placed.rows = rows.count;
  context.kernels.vocabulary(context.stream, placed);
}

void finish(const Context& context, const Rows& rows, const Tensor& x, const Tensor& y) {
  context.kernels.finish(context.stream, {x, rows.plans, rows.count, y});
}

}  // namespace bouquet::rose::ops
