// Where the words of plain ASCII begin, 64 bytes at a time, for the patterns of known_patterns.h.
//
//   const AsciiBlock block = ascii_block(text.substr(at));     // a word begins at `at`
//   uint64_t starts = gpt2_starts(text.data() + at, block);    // bit i: one begins at at + i; bit 0 always
//
// All starts are certain, but where the last of these words ends is not known: it may go on behind the block.
#pragma once

#include <cstdint>
#include <string_view>

namespace bouquet::tokenizer {

// Classes of up to 64 bytes; bit i is byte i. Uppers are letters; newlines, \r and \n, and blanks, ' ', are spaces.
struct AsciiBlock {
  uint64_t known;  // bytes that are there, up to the first that is not ASCII
  uint64_t letters, uppers, digits, spaces, newlines, blanks, quotes, slashes;
  uint64_t others() const { return known & ~(letters | digits | spaces); }
};

AsciiBlock ascii_block(std::string_view text);

// `text`: the block's first byte.
uint64_t gpt2_starts(const char* text, const AsciiBlock& block);

// For patterns that end numbers after so many digits.
template <uint32_t kDigits>
uint64_t cl100k_starts(const char* text, const AsciiBlock& block);

// For patterns that tell upper case from lower.
template <uint32_t kDigits, bool kContractions>
uint64_t o200k_starts(const char* text, const AsciiBlock& block);

// Bytes of 's, 't, 're, 've, 'm, 'll or 'd by what stands behind the quote; 0 when it is none of those.
inline uint32_t contraction_length(char first, char second) {
  if (first == 's' || first == 't' || first == 'm' || first == 'd') return 2;
  if ((first == 'r' || first == 'v') && second == 'e') return 3;
  return first == 'l' && second == 'l' ? 3 : 0;
}

}  // namespace bouquet::tokenizer
