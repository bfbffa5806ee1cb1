// Properties of characters as Hugging Face `tokenizers` sees them (its Unicode tables are of several ages).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "tokenizer/unicode/code_point_flags.h"

namespace bouquet::tokenizer {

enum CharFlag : uint16_t {
  kDroppedFlag = 1,       // clean_text removes it
  kSpacedFlag = 2,        // clean_text makes it a space
  kWhitespaceFlag = 4,    // char::is_whitespace, and the regular expression class \s
  kPunctuationFlag = 8,   // BertPreTokenizer sets it apart
  kChineseFlag = 16,      // handle_chinese_chars puts spaces around it
  kWordFlag = 32,         // the regular expression class \w
  kMarkFlag = 64,         // strip_accents of BertNormalizer removes it
  kCombiningFlag = 128,   // the StripAccents normalizer removes it
  kDecomposesFlag = 256,  // has a canonical decomposition (Hangul too)
  kReordersFlag = 512,    // combining class is not 0
  kLowersFlag = 1024,     // has another lower case
};

class UnicodeTable {
 public:
  // Built at first use, never destroyed.
  static const UnicodeTable& get();

  uint16_t flags(char32_t code) const { return flags_[code]; }
  uint8_t combining_class(char32_t code) const;

  // The full canonical decomposition; of a character that has none, or a Hangul syllable, empty.
  std::span<const uint32_t> decomposition(char32_t code) const;

  // First character of the lower case; only U+0130 has a second, U+0307.
  char32_t lower(char32_t code) const;

 private:
  struct Entry {
    uint32_t code;
    uint32_t value;  // lower case, combining class, or index of the decomposition's length
  };

  UnicodeTable();
  void add_classes();
  void add_decompositions();
  void add_lower();
  static const Entry* find(const std::vector<Entry>& entries, char32_t code);

  CodePointFlags flags_;
  std::vector<Entry> classes_, decompositions_, lower_;
};

}  // namespace bouquet::tokenizer
