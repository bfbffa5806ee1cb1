// The kernels a back end offers: six coarse functions, each enqueued on a stream. All matrices are row-major
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

struct EmbedArgs {
  const int32_t* ids;          // [tokens]
  const int32_t* token_types;  // [tokens]
  const int32_t* cu_seqlens;   // [sequences + 1]
  const float* words;          // [vocab][hidden]
  const float* positions;      // [max positions][hidden]
  const float* types;          // [types][hidden]
  int32_t hidden;
  Tensor y;  // [tokens][hidden]: word + position + type, positions counted from each sequence's start
  const Live* live;
};

struct LinearArgs {
  Tensor x;  // [rows][k]
  const PackedMatrix* weight;
  const float* bias;      // [n] or null
  Activation activation;  // applied to x W^T + bias
  Tensor y;               // [rows][n]
  const int32_t* rows;    // &live->tokens or &live->sequences
};

// y = (x - mean) / sqrt(variance + epsilon) * gamma + beta, over each row of x + residual (Ba et al. 2016).
struct LayerNormArgs {
  Tensor x;         // [rows][hidden]
  Tensor residual;  // [rows][hidden]; data null: none
  const float* gamma;
  const float* beta;
  float epsilon;
  Tensor y;  // [rows][hidden]; may be x or residual
  const int32_t* rows;
};

// softmax(q k^T * scale) v for each head within each sequence, both directions (Vaswani et al. 2017).
struct AttentionArgs {
  Tensor qkv;                 // [tokens][3][heads][head_dim]
  const int32_t* cu_seqlens;  // [sequences + 1]
  int32_t heads;
  int32_t head_dim;
  float scale;
  Tensor y;  // [tokens][heads * head_dim]
  const Live* live;
};

struct PoolArgs {
  Tensor x;                   // [tokens][hidden]
  const int32_t* cu_seqlens;  // [sequences + 1]
  Pooling pooling;
  Tensor y;  // [sequences][hidden]
  const Live* live;
};

// Each row's first dimensions[s] values, scaled to unit length where normalize[s] is 1; zeros behind them.
struct FinishArgs {
  Tensor x;                   // [sequences][width]
  const int32_t* dimensions;  // [sequences], 1 ... width
  const int32_t* normalize;   // [sequences]
  Tensor y;                   // [sequences][width]
  const Live* live;
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
  virtual void layer_norm(Stream& stream, const LayerNormArgs& args) const = 0;
  virtual void attention(Stream& stream, const AttentionArgs& args) const = 0;
  virtual void pool(Stream& stream, const PoolArgs& args) const = 0;
  virtual void finish(Stream& stream, const FinishArgs& args) const = 0;
};

}  // namespace bouquet::rose
