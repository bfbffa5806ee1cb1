// The text of tokens as they come, in whole characters.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tokenizer/tokenizer.h"

namespace bouquet::cli {

class TextStream {
 public:
  // Goes on from `prompt`, whose text is not given again. The tokenizer must outlive it.
  TextStream(const tokenizer::Tokenizer& tokenizer, const std::vector<int32_t>& prompt);

  // What is readable now and was not before; "" while a character is incomplete. Special tokens have no text.
  std::string add(int32_t id);
  // What add() held back for the rest of a character that did not come.
  std::string rest();

 private:
  std::string decode(size_t begin, size_t end) const;
  const tokenizer::Tokenizer& tokenizer_;
  std::vector<int32_t> ids_;
  size_t context_ = 0;  // decoding begins here: what is in front changes the text of no later token
  size_t given_ = 0;    // ids whose text was given
};

}  // namespace bouquet::cli
