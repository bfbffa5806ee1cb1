// An architecture as read from config.json: sizes, how its encoder is loaded, where a classifier's weights are. One
// function each, by model_type, in the files named after them; architecture.cc lists them.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "rose/models/json_config.h"
#include "rose/models/model.h"
#include "rose/weights/weight_reader.h"

namespace bouquet::rose {

struct Sizes {
  int32_t hidden = 0;
  int32_t vocab_size = 0;
  int32_t token_types = 1;    // 1: the model makes no difference
  int32_t max_positions = 0;  // longest sequence
};

struct Limits {
  int32_t max_tokens = 0;        // of a sequence
  int64_t max_batch_tokens = 0;  // at least max_tokens, where there is no cache
  int32_t cache_blocks = 0;      // of keys and values that stay between batches; 0: none do
};

// How a sequence-classification head computes: pool, maybe dense + activation, maybe a norm, then one logit a label.
struct ClassifierConfig {
  Pooling pooling = Pooling::kCls;
  int32_t padding = kNoPadding;  // an id that kLastToken passes over
  std::string dense;             // tensor name without .weight; "": none. Read under the encoder's prefix, or without.
  bool dense_first = false;      // over every token, before they are pooled
  Activation activation = Activation::kTanh;
  std::string norm;  // "": none
  NormKind norm_kind = NormKind::kLayer;
  float epsilon = 0;
  std::string output;  // read without prefix; "": the architecture has no such head
};

// A masked language model's head: dense + activation, a norm, then a logit for each word. Names without prefix or under
// the encoder's.
struct MaskedLmConfig {
  std::string dense;  // "": the architecture has no such head
  Activation activation = Activation::kGelu;
  std::string norm;
  NormKind norm_kind = NormKind::kLayer;
  float epsilon = 0;
  std::string words;    // the encoder's table, under its prefix
  std::string decoder;  // a table of the head's own, where the checkpoint has it; "": never
  std::string bias;     // [vocab]
  int32_t width = 0;    // of a word
};

// Where a causal language model's logits of the next word come from.
enum class LanguageModel : uint8_t {
  kNone,    // it is none
  kUntied,  // a table of their own; where the checkpoint has none, the one that embeds the words
  kTied,    // the one that embeds the words, whatever the checkpoint has beside it
};

struct Architecture {
  std::string name;
  Sizes sizes;
  std::function<absl::StatusOr<std::unique_ptr<Encoder>>(WeightReader&, Device&, const Limits&)> load;
  ClassifierConfig classifier;
  MaskedLmConfig masked_lm;
  LanguageModel language_model = LanguageModel::kNone;
  // Tensors that serve other tasks than the encoder's: see WeightReader::check_all_taken.
  std::vector<std::string_view> unused;
  std::vector<std::string> adapters;  // low-rank ones, by task, of which one may be merged: see WeightReader
  float adapter_scale = 1;
  std::vector<std::string_view> keys_without_effect;  // of config.json: in models' files, and read by nobody
  // Classes of remote code (auto_map) whose mathematics this is; the code itself is never run.
  std::vector<std::string_view> remote_code;
};

// By the config's model_type; UNIMPLEMENTED lists those there are.
absl::StatusOr<Architecture> parse_architecture(const JsonConfig& config);

// UNIMPLEMENTED names a key whose value would change the mathematics in a way that is not built.
absl::StatusOr<Architecture> bert(const JsonConfig& config);
absl::StatusOr<Architecture> roberta(const JsonConfig& config);  // XLM-RoBERTa and CamemBERT too
absl::StatusOr<Architecture> electra(const JsonConfig& config);
absl::StatusOr<Architecture> distilbert(const JsonConfig& config);
absl::StatusOr<Architecture> mpnet(const JsonConfig& config);
absl::StatusOr<Architecture> nomic_bert(const JsonConfig& config);
absl::StatusOr<Architecture> gte(const JsonConfig& config);
absl::StatusOr<Architecture> jina_bert(const JsonConfig& config);
absl::StatusOr<Architecture> jina_v3(const JsonConfig& config);
absl::StatusOr<Architecture> gemma3(const JsonConfig& config);
absl::StatusOr<Architecture> embedding_gemma2(const JsonConfig& config);
absl::StatusOr<Architecture> embedding_gemma2_text(const JsonConfig& config);
absl::StatusOr<Architecture> eurobert(const JsonConfig& config);
absl::StatusOr<Architecture> static_embedding(const Checkpoint& checkpoint);  // which tells all there is
absl::StatusOr<Architecture> deberta_v2(const JsonConfig& config);            // v3 too
absl::StatusOr<Architecture> t5(const JsonConfig& config);
absl::StatusOr<Architecture> modernbert(const JsonConfig& config);
absl::StatusOr<Architecture> qwen2(const JsonConfig& config);
absl::StatusOr<Architecture> qwen3(const JsonConfig& config);  // pplx-embed too
absl::StatusOr<Architecture> llama(const JsonConfig& config);
absl::StatusOr<Architecture> mistral(const JsonConfig& config);

}  // namespace bouquet::rose
