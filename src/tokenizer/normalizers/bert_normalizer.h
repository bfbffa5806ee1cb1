// BertNormalizer: clean, set Chinese characters apart, strip accents, lower-case, all in one scan.
#pragma once

#include <array>

#include "tokenizer/normalizers/normalizer.h"

namespace bouquet::tokenizer {

struct BertNormalizerOptions {
  bool clean_text = true;
  bool handle_chinese_chars = true;
  bool strip_accents = true;  // the file's null means: as lowercase
  bool lowercase = true;
};

class BertNormalizer final : public Normalizer {
 public:
  explicit BertNormalizer(const BertNormalizerOptions& options);

  void normalize(NormalizerScratch* scratch, NormalizedText* text) const override;
  bool isolates_chinese() const override { return options_.handle_chinese_chars; }

 private:
  static constexpr uint8_t kSlow = 0xFF;  // not one byte for one byte

  size_t ascii_run(std::string_view in, size_t at) const;  // bytes from `at` on that the table replaces
  void normalize_rest(size_t at, Decomposer* decomposer, NormalizedText* text) const;
  void finish_char(char32_t code, uint32_t origin, NormalizedText* text) const;

  BertNormalizerOptions options_;
  std::array<uint8_t, 256> ascii_;  // what an ASCII byte becomes; kSlow: removed, or not ASCII
};

}  // namespace bouquet::tokenizer
