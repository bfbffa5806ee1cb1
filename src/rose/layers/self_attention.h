// Self-attention (Vaswani et al. 2017): one projection to queries, keys and values, maybe head norms and rotary
// positions, ragged attention, one projection back.
#pragma once

#include <optional>

#include "rose/layers/linear.h"
#include "rose/layers/norm.h"
#include "rose/layers/positions.h"
#include "rose/layers/workspace.h"

namespace bouquet::rose {

// Where a layer keeps keys and values from batch to batch: see Pages in kernels.h.
struct KeyValueCache {
  std::unique_ptr<Buffer> keys;
  std::unique_ptr<Buffer> values;

  static absl::StatusOr<std::shared_ptr<const KeyValueCache>> create(Device& device, const HeadShape& shape,
                                                                     int32_t blocks);
};

struct AttentionConfig {
  int32_t hidden = 0;
  HeadShape shape{};
  float scale = 0;                             // of scores
  int32_t left = kUnbounded;                   // how many keys behind its own position a query sees
  int32_t right = kUnbounded;                  // ... and before it; 0: causal
  NormConfig head_norm;                        // where the names have one
  NormConfig wide_norm;                        // likewise
  bool value_norm = false;                     // of each value head, with head_norm's epsilon and no gamma
  std::shared_ptr<const RopeTable> rope;       // null: none
  std::shared_ptr<const DistanceBias> bias;    // null: none
  RelativePlaces places;                       // 0 places: none
  std::shared_ptr<const KeyValueCache> cache;  // null: every batch holds its sequences whole
};

// Without the suffixes .weight and .bias.
struct AttentionNames {
  Stack qkv;  // queries, keys, values: three tensors, or one that holds them all
  std::string output;
  std::string query_norm = "";  // RMS, of each head by itself; "": none
  std::string key_norm = "";
  std::string wide_query_norm = "";  // over all heads at once; "": none
  std::string wide_key_norm = "";
};

// Shared by all layers of a model; as wide as the widest.
struct AttentionActivations {
  Tensor qkv;      // [tokens][heads + 2 * kv_heads][head_dim]
  Tensor context;  // [tokens][heads * head_dim]

  static absl::StatusOr<AttentionActivations> create(Workspace& workspace, const HeadShape& shape, int64_t tokens);
};

class SelfAttention {
 public:
  static absl::StatusOr<SelfAttention> load(WeightReader& reader, const AttentionNames& names,
                                            const AttentionConfig& config);
  // x, y [tokens][hidden]; y may be x.
  void forward(const ops::Context& context, const AttentionActivations& a, const Tensor& x, const Tensor& y) const;

 private:
  void place(const ops::Context& context, const Tensor& qkv) const;
  Disentangled disentangled() const;
  void normalize_wide(const ops::Context& context, const Tensor& qkv) const;
  void normalize_values(const ops::Context& context, const Tensor& qkv) const;
  AttentionConfig config_;
  Linear qkv_, output_;
  std::shared_ptr<Buffer> query_gamma_, key_gamma_;  // [head_dim] or null
  std::optional<Norm> wide_query_norm_, wide_key_norm_;
};

}  // namespace bouquet::rose
