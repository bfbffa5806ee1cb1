// What a text is cut into on its way to the model.
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

inline std::string_view text_of(std::string_view text, Span span) {
  return {text.data() + span.begin, span.end - span.begin};
}

// Part of a text: an added token (id >= 0), which nothing cuts any further, or what lies between them.
struct Piece {
  Span span;
  int32_t id = -1;
  friend bool operator==(const Piece&, const Piece&) = default;
};

}  // namespace bouquet::tokenizer
