// Split: words end at the matches of a pattern, a string or a regular expression.
#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "tokenizer/pre_tokenizers/known_patterns.h"
#include "tokenizer/pre_tokenizers/pre_tokenizer.h"
#include "tokenizer/pre_tokenizers/split_behavior.h"
#include "tokenizer/regex.h"

namespace bouquet::tokenizer {

class SplitPreTokenizer final : public CuttingPreTokenizer {
 public:
  SplitPreTokenizer(Regex regex, SplitBehavior behavior, bool invert)
      : regex_(std::move(regex)), behavior_(behavior), invert_(invert) {}

  // A KnownSplitPreTokenizer where the pattern has a scanner and all of the text comes out.
  static absl::StatusOr<std::unique_ptr<const PreTokenizer>> make(const JsonObject& json);

  void cut(std::string_view text, Span part, std::vector<Piece>* words) const override;
  CutRule cut_rule() const override { return CutRule::kNowhere; }

 private:
  Regex regex_;
  SplitBehavior behavior_;
  bool invert_;  // the matches are what lies between matches
};

class KnownSplitPreTokenizer final : public CuttingPreTokenizer {
 public:
  explicit KnownSplitPreTokenizer(const KnownPattern& pattern) : pattern_(pattern) {}
  void cut(std::string_view text, Span part, std::vector<Piece>* words) const override {
    pattern_.cut(text, part, words);
  }
  CutRule cut_rule() const override { return pattern_.rule; }

 private:
  KnownPattern pattern_;
};

}  // namespace bouquet::tokenizer
