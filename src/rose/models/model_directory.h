// What a model directory says about itself: a sentence-transformers directory (modules.json, the schema of version 5.4
// and later as well as the old one) or a plain transformers one. Whatever would change the result and is not known is
// refused, naming it.
#pragma once

#include <filesystem>
#include <vector>

#include "absl/status/statusor.h"
#include "rose/kernels/kernels.h"

namespace bouquet::rose {

// A sentence-transformers Dense module: y = activation(x W^T + b) on the pooled vector.
struct DenseModule {
  std::filesystem::path weights;  // a folder, or one file, with [linear.]weight [out][in] and maybe [linear.]bias
  int32_t in_features = 0;
  int32_t out_features = 0;  // 0: as the file has it
  Activation activation = Activation::kTanh;
  bool alone = true;  // nothing else lies in its file
};

// What is made of the hidden states.
enum class Task : uint8_t {
  kEmbedding,
  kClassification,  // a sequence-classification head: the logits of its labels
  kLogitScore,      // a language model's logit of one word after the last token, less that of another
  kSplade,          // weights of vocabulary entries, from a masked language model's head
  kMultiVector,     // vectors of tokens for late interaction
  kNextWord,        // a language model's logits; never what the files say, always what the loader wants
};

// The words of kLogitScore.
struct LogitScore {
  int32_t true_id = -1;
  int32_t false_id = -1;  // -1: none, the score is the one logit
};

// How kSplade makes a weight of an entry's logits over the tokens: relu, then log(1 + x) so many times, then the
// largest or the sum.
struct Splade {
  bool sum = false;
  int32_t logarithms = 1;
};

struct ModelDirectory {
  std::filesystem::path transformer;  // holds config.json, the checkpoint and tokenizer.json
  Task task = Task::kEmbedding;
  LogitScore logit_score;
  Splade splade;
  bool static_embedding = false;         // a table of words and no encoder
  std::filesystem::path sparse_linear;   // BGE-M3's head of token weights; empty: none
  std::filesystem::path colbert_linear;  // ... and of token vectors
  std::vector<Pooling> pooling;          // several: their results side by side
  std::vector<DenseModule> dense;        // in order
  bool normalize = false;                // has a Normalize module
  bool lowercase = false;                // the text is lower-cased before it is tokenized
  bool tanh_int8 = false;                // trained to be quantised: round(127 tanh x), sign bits of x (pplx-embed)
  int32_t max_tokens = 0;                // as the files say, specials included; 0: they do not

  // A GGUF file stands for a directory.
  static absl::StatusOr<ModelDirectory> read(const std::filesystem::path& directory);
};

absl::StatusOr<Pooling> parse_pooling(std::string_view name);
std::string_view name_of(Pooling pooling);
// "gelu", "relu", ... as transformers configs say, or a torch class such as "torch.nn.modules.activation.Tanh".
absl::StatusOr<Activation> parse_activation(std::string_view name);

}  // namespace bouquet::rose
