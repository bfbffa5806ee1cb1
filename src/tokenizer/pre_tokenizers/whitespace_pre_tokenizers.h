// WhitespaceSplit (words end at white space), Whitespace (\w+ or [^\w\s]+), and Sequence.
#pragma once

#include <memory>

#include "tokenizer/pre_tokenizers/pre_tokenizer.h"

namespace bouquet::tokenizer {

class WhitespaceSplitPreTokenizer final : public CuttingPreTokenizer {
 public:
  void cut(std::string_view text, Span part, std::vector<Piece>* words) const override;
};

class WhitespacePreTokenizer final : public CuttingPreTokenizer {
 public:
  void cut(std::string_view text, Span part, std::vector<Piece>* words) const override;
};

// Each part splits the words of the one before it.
class SequencePreTokenizer final : public PreTokenizer {
 public:
  // Not empty; all but the last are not byte_level().
  explicit SequencePreTokenizer(std::vector<std::unique_ptr<const PreTokenizer>> parts);
  void split(const std::vector<Piece>& pieces, NormalizedText* text, std::vector<Piece>* out) const override;
  CutRule cut_rule() const override;
  bool byte_level() const override { return byte_level_; }
  bool isolates_punctuation() const override;

 private:
  bool byte_level_;
  std::vector<std::unique_ptr<const PreTokenizer>> parts_;  // that change anything
};

}  // namespace bouquet::tokenizer
