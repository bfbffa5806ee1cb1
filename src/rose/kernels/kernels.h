// The kernels a back end offers: eleven coarse functions, each enqueued on a stream. All matrices are row-major
// and ragged: the tokens of all sequences one after the other, cu_seqlens[s] the first token of sequence s.
//
// Counts are read on the device (Live), so that one captured graph serves every batch of its bucket. All arithmetic is
// f32, each output element is summed in one fixed order: its bits depend on its own row alone, never on the batch.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "rose/device/device.h"
#include "rose/tensor/tensor.h"

namespace bouquet::rose {

// Lives in device memory; written before each forward.
struct Live {
  int32_t tokens;
  int32_t sequences;
  int32_t longest;  // tokens of the longest sequence
};

// A weight matrix [n][k] in whatever layout the back end computes with.
struct PackedMatrix {
  DType dtype = DType::kF32;     // as stored: f32 or bf16
  int32_t n = 0;                 // outputs
  int32_t k = 0;                 // inputs
  std::shared_ptr<Buffer> data;  // several engines may read it
};

enum class Activation : uint8_t { kNone, kGelu, kGeluTanh, kRelu, kTanh, kSigmoid, kSilu };
enum class Pooling : uint8_t { kCls, kMean, kMax, kMeanSqrtLen, kWeightedMean, kLastToken };

// y = scale * words[id] + place_table[position] + type_table[token type]; a table without data adds nothing.
struct EmbedArgs {
  const int32_t* ids;          // [tokens]
  const int32_t* token_types;  // [tokens]
  const int32_t* positions;    // [tokens], in each token's own sequence
  Tensor words;                // [vocab][hidden], f32 or bf16
  float scale;
  Tensor place_table;  // [max positions][hidden]
  Tensor type_table;   // [types][hidden]
  Tensor y;            // [tokens][hidden]
  const Live* live;
};

struct LinearArgs {
  Tensor x;  // [rows][k]
  const PackedMatrix* weight;
  const float* bias;      // [n] or null
  Activation activation;  // applied to x W^T + bias
  Tensor y;               // [rows][n]
  const int32_t* rows;    // in device memory, like all counts
};

enum class NormKind : uint8_t {
  kLayer,  // (x - mean) / sqrt(variance + epsilon) * gamma + beta (Ba et al. 2016)
  kRms,    // x / sqrt(mean of squares + epsilon) * gamma + beta (Zhang & Sennrich 2019)
};

// sum = scale * (x + residual), or x where there is no residual; y = norm of each row of sum.
struct NormArgs {
  NormKind kind;
  Tensor x;         // [rows][hidden]
  Tensor residual;  // [rows][hidden]; data null: none
  Tensor sum;       // [rows][hidden]; may be x or residual; data null: not kept
  float scale = 1;
  const float* gamma;  // [hidden] or null: 1
  const float* beta;   // [hidden] or null: 0
  float epsilon;
  Tensor y;  // [rows][hidden]; may be x or residual, not sum; data null: only the sum is wanted
  const int32_t* rows;
};

// y = activation(left half of x) * right half (Shazeer 2020, "GLU variants improve transformer").
struct GateArgs {
  Tensor x;  // [rows][2 * n]
  Activation activation;
  Tensor y;  // [rows][n]
  const int32_t* rows;
};

// How an attention's rows are laid out: queries, then keys, then values. heads is a multiple of kv_heads; query head h
// reads key head h / (heads / kv_heads) (grouped queries, Ainslie et al. 2023).
struct HeadShape {
  int32_t heads;
  int32_t kv_heads;
  int32_t head_dim;
  int32_t query_width() const { return heads * head_dim; }
  int32_t row_width() const { return (heads + 2 * kv_heads) * head_dim; }
};

// Queries and keys, in place: each head's RMS norm where there are gammas, then its first rotary_dim values turned by
// the token's position, value i together with i + rotary_dim / 2 (Su et al. 2021, in the halves layout).
struct RopeArgs {
  Tensor qkv;                // [tokens][heads + 2 * kv_heads][head_dim]
  const int32_t* positions;  // [tokens]
  HeadShape shape;
  const float* query_gamma;  // [head_dim] or null: no norm
  const float* key_gamma;    // [head_dim] or null: no norm
  float epsilon;
  int32_t rotary_dim;    // even; 0: nothing turns
  const float* cosines;  // [max positions][rotary_dim / 2]
  const float* sines;
  const Live* live;
};

inline constexpr int32_t kUnbounded = 1 << 30;

// DeBERTa's disentangled attention (He et al. 2020): a query's product with a key of their distance, and the key's with
// a query of it, are added to their own product before it is scaled.
struct Disentangled {
  Tensor keys;     // [places][heads * head_dim]; data null: none
  Tensor queries;  // likewise
  int32_t places = 0;
  const int32_t* rows;  // [2 * reach + 1] the place of each distance: query's position - key's, held within +-reach
  int32_t reach = 0;
};

inline constexpr int32_t kBlockTokens = 16;

// Keys and values of tokens in blocks of kBlockTokens (Kwon et al. 2023, "PagedAttention"): a sequence's blocks lie
// anywhere, and are found by its table. One layer's; data null: none.
struct Pages {
  float* keys = nullptr;            // [blocks][block_values()], in the back end's own layout
  float* values = nullptr;          // likewise
  const int32_t* tables = nullptr;  // [sequences][table_width] the blocks of a sequence, in order
  int32_t table_width = 0;
  const int32_t* past = nullptr;  // [sequences] tokens that were there before the batch's
};

// Floats of a block's keys, and of its values.
constexpr int64_t block_values(const HeadShape& shape) {
  constexpr int32_t kRounded = 16;
  return int64_t{shape.kv_heads} * kBlockTokens * ((shape.head_dim + kRounded - 1) / kRounded * kRounded);
}

// softmax(q k^T * scale + bias) v for each head within each sequence (Vaswani et al. 2017). A query at position i sees
// the keys from i - left to i + right, of those that count as keys; where that leaves none, the last that does.
struct AttentionArgs {
  Tensor qkv;                 // [tokens][heads + 2 * kv_heads][head_dim]
  const int32_t* cu_seqlens;  // [sequences + 1]
  const int32_t* key_counts;  // [sequences] leading tokens that count as keys, at least 1
  HeadShape shape;
  float scale;
  int32_t left;                // 0 ... kUnbounded
  int32_t right;               // 0: causal
  const float* distance_bias;  // [heads][2 * reach + 1] by key's position - query's, held within +-reach; null: none
  int32_t reach;
  Disentangled disentangled;
  Pages pages;  // for store() and paged_attention()
  Tensor y;     // [tokens][heads * head_dim]
  const Live* live;
};

inline constexpr int32_t kNoPadding = -1;

// A row of the result: the tokens it is made of, and how it is finished.
struct RowPlan {
  int32_t begin;  // tokens of the batch
  int32_t end;
  int32_t dimensions;  // leading values to keep, 1 ... width
  int32_t normalize;   // 1: to unit length
};

struct PoolArgs {
  Tensor x;              // [tokens][hidden]
  const int32_t* ids;    // [tokens]
  const RowPlan* plans;  // [rows]
  const int32_t* rows;
  Pooling pooling;
  int32_t
      padding;  // kLastToken: the last token that does not have this id (or the first token); kNoPadding: the last one
  Tensor y;     // [rows][hidden]
};

// SPLADE's pooling (Formal et al. 2021): y[row][n] = the largest, or the sum, over the row's tokens of log(1 + x) so
// many times of relu(x W^T + bias)[token][n].
struct VocabularyArgs {
  Tensor x;                    // [tokens][k]
  const PackedMatrix* weight;  // [n][k], a row for each entry of the vocabulary
  const float* bias;           // [n] or null
  const RowPlan* plans;        // [rows]
  const int32_t* rows;
  bool sum;
  int32_t logarithms;  // 1 or 2
  Tensor y;            // [rows][n]
};

// Each row cut to its dimensions and scaled as its plan says; zeros behind them.
struct FinishArgs {
  Tensor x;              // [rows][width]
  const RowPlan* plans;  // [rows]
  const int32_t* rows;
  Tensor y;  // [rows][width]
};

// A back end: cpu/cpu_kernels.h; reference/reference_kernels.h, the naive twins; null/null_kernels.h, which computes
// nothing.
class Kernels {
 public:
  virtual ~Kernels() = default;
  virtual std::string name() const = 0;

  // Weight [n][k] in f32, stored as `dtype` (kF32 or kBF16) in this back end's own layout. Runs at once.
  virtual absl::StatusOr<PackedMatrix> pack(Device& device, DType dtype, int32_t n, int32_t k,
                                            const float* weight) const = 0;

  virtual void embed(Stream& stream, const EmbedArgs& args) const = 0;
  virtual void linear(Stream& stream, const LinearArgs& args) const = 0;
  virtual void norm(Stream& stream, const NormArgs& args) const = 0;
  virtual void gate(Stream& stream, const GateArgs& args) const = 0;
  virtual void rope(Stream& stream, const RopeArgs& args) const = 0;
  virtual void attention(Stream& stream, const AttentionArgs& args) const = 0;
  // The batch's keys and values into their places in the pages.
  virtual void store(Stream& stream, const AttentionArgs& args) const = 0;
  // attention() where the batch's tokens go on from those in the pages, which hold their own keys and values too (see
  // store()). Causal, and without a bias: right, key_counts, distance_bias and disentangled are not read. The bits are
  // those of attention() over the whole sequence at once.
  virtual void paged_attention(Stream& stream, const AttentionArgs& args) const = 0;
  virtual void pool(Stream& stream, const PoolArgs& args) const = 0;
  virtual void vocabulary(Stream& stream, const VocabularyArgs& args) const = 0;
  virtual void finish(Stream& stream, const FinishArgs& args) const = 0;
};

}  // namespace bouquet::rose
