// The first step: text -> the form the vocabulary is written in, keeping track of where it came from.
#pragma once

#include "tokenizer/decomposer.h"
#include "tokenizer/normalized_text.h"

namespace bouquet::tokenizer {

// Buffers of one encoding thread.
struct NormalizerScratch {
  Decomposer decomposer;
};

// Immutable. Every normaliser treats a text cut at a safe boundary (boundaries.h) as it treats the whole.
class Normalizer {
 public:
  virtual ~Normalizer() = default;
  virtual void normalize(NormalizerScratch* scratch, NormalizedText* text) const = 0;

  // Whether Chinese characters come out with spaces around them.
  virtual bool isolates_chinese() const { return false; }
};

}  // namespace bouquet::tokenizer
