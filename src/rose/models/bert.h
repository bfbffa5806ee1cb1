// BERT (Devlin et al. 2018): learned absolute positions, post-norm encoder layers.
#pragma once

#include "rose/layers/encoder_layer.h"
#include "rose/models/json_config.h"
#include "rose/models/model.h"

namespace bouquet::rose {

struct BertConfig {
  int32_t vocab_size;
  int32_t type_vocab_size;
  int32_t max_positions;
  int32_t layers;
  EncoderLayerConfig layer;

  // UNIMPLEMENTED names a key whose value would change the mathematics in a way that is not built.
  static absl::StatusOr<BertConfig> parse(const JsonConfig& config);
};

class Bert : public Encoder {
 public:
  // `max_tokens` bounds a batch.
  static absl::StatusOr<std::unique_ptr<Bert>> load(WeightReader& reader, Device& device, const BertConfig& config,
                                                    int64_t max_tokens);
  Tensor forward(const ops::Context& context) override;

 private:
  explicit Bert(Device& device) : workspace_(device) {}
  Workspace workspace_;
  BertConfig config_{};
  std::shared_ptr<Buffer> words_, positions_, types_;
  LayerNorm embedding_norm_;
  std::vector<EncoderLayer> layers_;
  Tensor hidden_;  // [tokens][hidden]
  EncoderActivations activations_;
};

}  // namespace bouquet::rose
