// NFC, NFD, NFKC and NFKD. Text that is in the form already is left as it is, without a copy.
#pragma once

#include "tokenizer/normalizers/normalizer.h"
#include "tokenizer/unicode/normal_form.h"

namespace bouquet::tokenizer {

class FormNormalizer final : public Normalizer {
 public:
  explicit FormNormalizer(NormalForm::Kind kind) : form_(NormalForm::get(kind)) {}
  void normalize(NormalizerScratch* scratch, NormalizedText* text) const override;

 private:
  const NormalForm& form_;
};

}  // namespace bouquet::tokenizer
