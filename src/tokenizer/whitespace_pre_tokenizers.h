// WhitespaceSplit (words end at white space), Whitespace (\w+ or [^\w\s]+), and Sequence.
#pragma once

#include <memory>

#include "tokenizer/pre_tokenizer.h"

namespace bouquet::tokenizer {

class WhitespaceSplitPreTokenizer final : public PreTokenizer {
 public:
  void split(std::string_view text, Span part, std::vector<Span>* words) const override;
};

class WhitespacePreTokenizer final : public PreTokenizer {
 public:
  void split(std::string_view text, Span part, std::vector<Span>* words) const override;
};

// Each part splits the words of the one before it.
class SequencePreTokenizer final : public PreTokenizer {
 public:
  explicit SequencePreTokenizer(std::vector<std::unique_ptr<const PreTokenizer>> parts) : parts_(std::move(parts)) {}
  void split(std::string_view text, Span part, std::vector<Span>* words) const override;
  bool isolates_punctuation() const override;

 private:
  std::vector<std::unique_ptr<const PreTokenizer>> parts_;  // not empty
};

}  // namespace bouquet::tokenizer
