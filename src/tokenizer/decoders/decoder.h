// Tokens -> text.
#pragma once

#include <string>
#include <vector>

namespace bouquet::tokenizer {

// Immutable. Files without a decoder join the tokens with spaces, which the tokenizer does itself.
class Decoder {
 public:
  virtual ~Decoder() = default;
  // Makes the tokens what they stand for; the text is all of them, one after the other.
  virtual void decode(std::vector<std::string>* tokens) const = 0;
};

}  // namespace bouquet::tokenizer
