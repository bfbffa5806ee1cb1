// ByteLevel as a normalizer: every byte becomes its character of the byte-level alphabet.
#pragma once

#include "tokenizer/normalizers/normalizer.h"

namespace bouquet::tokenizer {

class ByteLevelNormalizer final : public Normalizer {
 public:
  void normalize(NormalizerScratch* scratch, NormalizedText* text) const override;
  bool looks_at_ends() const override { return true; }  // no white space is left to cut at
};

}  // namespace bouquet::tokenizer
