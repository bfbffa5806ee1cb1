// BertPreTokenizer: words end at white space, each punctuation character is a word.
#pragma once

#include <array>

#include "tokenizer/pre_tokenizers/pre_tokenizer.h"

namespace bouquet::tokenizer {

class BertPreTokenizer final : public CuttingPreTokenizer {
 public:
  BertPreTokenizer();
  void cut(std::string_view text, Span part, std::vector<Piece>* words) const override;
  bool isolates_punctuation() const override { return true; }

 private:
  enum Class : uint8_t { kLetter, kSpace, kPunctuation, kNotAscii };
  std::array<uint8_t, 256> class_of_;  // by byte
};

}  // namespace bouquet::tokenizer
