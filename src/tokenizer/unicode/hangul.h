// Hangul syllables: composed and decomposed by arithmetic, not by tables.
#pragma once

#include <cstdint>

namespace bouquet::tokenizer::hangul {

constexpr char32_t kFirst = 0xAC00, kLast = 0xD7A3;
constexpr char32_t kLeading = 0x1100, kVowel = 0x1161, kTrailing = 0x11A7;  // kTrailing stands for no trailing one
constexpr uint32_t kLeadings = 19, kVowels = 21, kTrailings = 28;

inline bool is_syllable(char32_t code) { return code >= kFirst && code <= kLast; }

// What the two compose to; 0: they do not.
inline char32_t composed(char32_t first, char32_t second) {
  if (first - kLeading < kLeadings && second - kVowel < kVowels) {
    return kFirst + ((first - kLeading) * kVowels + (second - kVowel)) * kTrailings;
  }
  const bool is_open = is_syllable(first) && (first - kFirst) % kTrailings == 0;
  return is_open && second > kTrailing && second < kTrailing + kTrailings ? first + (second - kTrailing) : 0;
}

// Calls emit(code) for each of the two or three parts of a syllable.
template <typename Emit>
void decompose(char32_t syllable, const Emit& emit) {
  const uint32_t index = syllable - kFirst;
  emit(kLeading + index / (kVowels * kTrailings));
  emit(kVowel + index % (kVowels * kTrailings) / kTrailings);
  if (index % kTrailings != 0) emit(kTrailing + index % kTrailings);
}

}  // namespace bouquet::tokenizer::hangul
