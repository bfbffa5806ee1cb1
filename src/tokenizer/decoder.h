// Tokens -> text.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace bouquet::tokenizer {

// Immutable. Files without a decoder join the tokens with spaces, which the tokenizer does itself.
class Decoder {
 public:
  virtual ~Decoder() = default;
  virtual std::string decode(std::span<const std::string_view> tokens) const = 0;
};

}  // namespace bouquet::tokenizer
