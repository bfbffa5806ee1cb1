// The second step: normalised text -> words.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace bouquet::tokenizer {

// Bytes [begin, end) of the normalised text; not empty.
struct Span {
  uint32_t begin = 0;
  uint32_t end = 0;
  friend bool operator==(const Span&, const Span&) = default;
};

// Immutable. Every pre-tokenizer ends words at white space, which safe boundaries (boundaries.h) rely on.
class PreTokenizer {
 public:
  virtual ~PreTokenizer() = default;

  // Appends the words of bytes [part.begin, part.end) of `text`.
  virtual void split(std::string_view text, Span part, std::vector<Span>* words) const = 0;

  // Whether each punctuation character is a word of its own.
  virtual bool isolates_punctuation() const { return false; }
};

}  // namespace bouquet::tokenizer
