// Normalisers that do one thing: Lowercase, StripAccents, NFD; and Sequence, which applies several.
#pragma once

#include <memory>
#include <vector>

#include "tokenizer/normalizer.h"

namespace bouquet::tokenizer {

class LowercaseNormalizer final : public Normalizer {
 public:
  void normalize(NormalizerScratch* scratch, NormalizedText* text) const override;
};

// Removes combining characters (general category M) without decomposing first.
class StripAccentsNormalizer final : public Normalizer {
 public:
  void normalize(NormalizerScratch* scratch, NormalizedText* text) const override;
};

class NfdNormalizer final : public Normalizer {
 public:
  void normalize(NormalizerScratch* scratch, NormalizedText* text) const override;
};

class SequenceNormalizer final : public Normalizer {
 public:
  explicit SequenceNormalizer(std::vector<std::unique_ptr<const Normalizer>> parts) : parts_(std::move(parts)) {}
  void normalize(NormalizerScratch* scratch, NormalizedText* text) const override;
  bool isolates_chinese() const override;

 private:
  std::vector<std::unique_ptr<const Normalizer>> parts_;
};

}  // namespace bouquet::tokenizer
