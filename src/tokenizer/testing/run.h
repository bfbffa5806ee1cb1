// One component alone, on one input.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tokenizer/decoders/decoder.h"
#include "tokenizer/normalizers/normalizer.h"

namespace bouquet::tokenizer {

inline std::string normalize(const Normalizer& normalizer, std::string_view in) {
  NormalizerScratch scratch;
  NormalizedText text;
  text.reset(in);
  normalizer.normalize(&scratch, &text);
  return std::string(text.view());
}

inline std::vector<std::string> decoded(const Decoder& decoder, std::vector<std::string> tokens) {
  decoder.decode(&tokens);
  return tokens;
}

}  // namespace bouquet::tokenizer
