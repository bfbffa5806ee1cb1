// Token embeddings: words, maybe with learned places and token types, maybe normalised, maybe projected to the model's
// width (ELECTRA).
#pragma once

#include <optional>

#include "rose/layers/linear.h"
#include "rose/layers/norm.h"
#include "rose/layers/workspace.h"

namespace bouquet::rose {

struct EmbeddingConfig {
  int32_t vocab_size = 0;
  int32_t width = 0;        // of a word
  int32_t hidden = 0;       // what comes out; differs from width where there is a projection
  float scale = 1;          // of words
  int32_t places = 0;       // rows of the table of places
  int32_t first_place = 0;  // the row of a sequence's first token
  int32_t types = 0;        // rows of the table of token types
  NormConfig norm;
};

// "": none. The tables' names end in .weight; the others lack the suffix.
struct EmbeddingNames {
  std::string words;
  std::string places = "";
  std::string types = "";
  std::string norm = "";
  std::string projection = "";
};

class Embedding {
 public:
  static absl::StatusOr<Embedding> load(WeightReader& reader, Workspace& workspace, const EmbeddingNames& names,
                                        const EmbeddingConfig& config, int64_t tokens);
  // y [tokens][hidden]
  void forward(const ops::Context& context, const Tensor& y) const;

 private:
  float scale_ = 1;
  Table words_, places_, types_;
  int32_t first_place_ = 0;
  std::optional<Norm> norm_;
  std::optional<Linear> projection_;
  Tensor narrow_;  // [tokens][width] before the projection
};

}  // namespace bouquet::rose
