// The first step: text -> the form the vocabulary is written in, keeping track of where it came from.
#pragma once

#include "tokenizer/normalized_text.h"
#include "tokenizer/unicode/decomposer.h"
#include "tokenizer/unicode/normal_form.h"

namespace bouquet::tokenizer {

// Buffers of one encoding thread.
struct NormalizerScratch {
  Decomposer decomposer;
  std::vector<CharChange> changes;
  std::vector<FormChar> form;
};

// Immutable. Every normaliser treats a text cut at a safe boundary (boundaries.h) as it treats the whole.
class Normalizer {
 public:
  virtual ~Normalizer() = default;
  virtual void normalize(NormalizerScratch* scratch, NormalizedText* text) const = 0;

  // Whether it does something to the ends of a text that it does not do within: then no place is safe.
  virtual bool looks_at_ends() const { return false; }

  // Whether there are texts for which moves_origins().
  virtual bool may_move_origins() const { return false; }

  // Whether it drops what `text`, well-formed UTF-8, begins with in a way that moves the origins of all that follows:
  // then a part of the text without its beginning has other origins.
  virtual bool moves_origins(std::string_view text) const {
    (void)text;
    return false;
  }

  // Whether Chinese characters come out with spaces around them.
  virtual bool isolates_chinese() const { return false; }
};

}  // namespace bouquet::tokenizer
