// Nmt: controls go, and what separates words, visibly or not, becomes a space.
#pragma once

#include "tokenizer/normalizers/normalizer.h"

namespace bouquet::tokenizer {

class NmtNormalizer final : public Normalizer {
 public:
  void normalize(NormalizerScratch* scratch, NormalizedText* text) const override;
};

}  // namespace bouquet::tokenizer
