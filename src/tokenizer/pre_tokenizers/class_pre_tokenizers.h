// Punctuation and Digits: words end at characters of one class.
#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "tokenizer/pre_tokenizers/pre_tokenizer.h"
#include "tokenizer/pre_tokenizers/split_behavior.h"

namespace bouquet::tokenizer {

class PunctuationPreTokenizer final : public CuttingPreTokenizer {
 public:
  explicit PunctuationPreTokenizer(SplitBehavior behavior) : behavior_(behavior) {}
  static absl::StatusOr<std::unique_ptr<const PreTokenizer>> make(const JsonObject& json);
  void cut(std::string_view text, Span part, std::vector<Piece>* words) const override;
  CutRule cut_rule() const override { return CutRule::kAsNext; }
  bool isolates_punctuation() const override { return behavior_ == SplitBehavior::kIsolated; }

 private:
  SplitBehavior behavior_;
};

class DigitsPreTokenizer final : public CuttingPreTokenizer {
 public:
  explicit DigitsPreTokenizer(bool individual) : individual_(individual) {}
  static absl::StatusOr<std::unique_ptr<const PreTokenizer>> make(const JsonObject& json);
  void cut(std::string_view text, Span part, std::vector<Piece>* words) const override;
  CutRule cut_rule() const override { return CutRule::kAsNext; }

 private:
  bool individual_;  // each digit is a word, else each run of them
};

}  // namespace bouquet::tokenizer
