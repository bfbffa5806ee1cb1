// Classes of characters as the regular expressions of Hugging Face `tokenizers` know them (Oniguruma's, Unicode 16).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "tokenizer/unicode/code_point_flags.h"

namespace bouquet::tokenizer {

enum RegexClass : uint16_t {
  kUpperClass = 1,          // \p{Lu}
  kTitleClass = 2,          // \p{Lt}
  kLowerClass = 4,          // \p{Ll}
  kModifierClass = 8,       // \p{Lm}
  kOtherLetterClass = 16,   // \p{Lo}
  kMarkClass = 32,          // \p{M}
  kNumberClass = 64,        // \p{N}
  kPunctuationClass = 128,  // \p{P}
  kSymbolClass = 256,       // \p{S}
  kWordClass = 512,         // \w
  kDigitClass = 1024,       // \d
  kHanClass = 2048,         // \p{Han}
  kSpaceClass = 4096,       // \s
  kNumericClass = 8192,     // what the pre-tokenizer Digits cuts at
  kLetterClass = kUpperClass | kTitleClass | kLowerClass | kModifierClass | kOtherLetterClass,  // \p{L}
};

class RegexClasses {
 public:
  // Built at first use, never destroyed.
  static const RegexClasses& get();

  uint16_t of(char32_t code) const { return flags_[code]; }

 private:
  RegexClasses();

  CodePointFlags flags_;
};

// A class by the name a regular expression gives it, \p{NAME}; gaps as CodePointFlags::add_ranges takes them.
struct RegexProperty {
  std::string_view name;
  std::span<const uint32_t> gaps;
};

// All that are one range table; \p{L} is those of five of them.
std::span<const RegexProperty> regex_properties();

}  // namespace bouquet::tokenizer
