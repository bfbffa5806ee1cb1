// A model as the engine runs it: an encoder that turns tokens into hidden states, and heads that turn those into rows
// of a result. Architectures implement Encoder; heads are shared by all of them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rose/ops/ops.h"

namespace bouquet::rose {

// What an architecture (architecture.h) loads.
class Encoder {
 public:
  virtual ~Encoder() = default;
  // Enqueues the forward pass; the result [tokens][hidden] stays valid until the next one.
  virtual Tensor forward(const ops::Context& context) = 0;
};

class Head {
 public:
  virtual ~Head() = default;
  virtual int32_t width() const = 0;  // of a row
  // hidden [tokens][hidden] -> [rows][width], valid until the next forward.
  virtual Tensor forward(const ops::Context& context, const ops::Rows& rows, const Tensor& hidden) = 0;
};

// What a head's rows are.
enum class Output : uint8_t {
  kDefault = 0,      // what the model is for
  kEmbedding = 1,    // a vector for a span of tokens: mostly a whole sequence
  kLogits = 2,       // a logit a label, for a sequence
  kTokens = 3,       // the encoder's own vector of a token
  kMultiVector = 4,  // a vector of a token for late interaction (ColBERT)
  kLexical = 5,      // one weight of a token (BGE-M3's sparse head)
  kVocabulary = 6,   // a weight for each entry of the vocabulary, for a sequence (SPLADE)
  kNextWord = 7,     // a logit for each word that may follow a sequence's last token
};

// One row for each token; the others have one for a sequence, or for each span that is asked for.
constexpr bool is_per_token(Output output) {
  return output == Output::kTokens || output == Output::kMultiVector || output == Output::kLexical;
}

struct ModelHead {
  Output output;
  std::unique_ptr<Head> head;
};

struct ModelInfo {
  std::string architecture;         // e.g. "bert"
  int32_t dimensions = 0;           // of the embedding; 0: it has none
  std::vector<std::string> labels;  // of the classification head; empty: it has none
  int32_t max_tokens = 0;           // longest sequence the files allow (or --max-length does), specials included
  int32_t vocab_size = 0;
  int32_t type_vocab_size = 0;
  std::string pooling;     // "mean", "cls+mean", ...; "" for a classifier
  bool normalize = false;  // the model's own files ask for unit length
  bool lowercase = false;  // ... and for lower-cased text
  bool tanh_int8 = false;  // see ModelDirectory
  int64_t parameters = 0;
  std::vector<std::string> ignored_keys;  // of config.json, because somebody said so
  uint64_t fingerprint = 0;               // of weights and configuration
};

struct Model {
  std::unique_ptr<Encoder> encoder;
  std::vector<ModelHead> heads;  // the first is what the model is for
  ModelInfo info;
  DType dtype = DType::kF32;     // of the stored weight matrices
  int64_t max_batch_tokens = 0;  // what its activations hold, at least info.max_tokens
};

}  // namespace bouquet::rose
