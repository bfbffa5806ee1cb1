// What a text is cut into on its way to the model.
#pragma once

#include <cstdint>
#include <vector>

namespace bouquet::tokenizer {

// Bytes [begin, end) of the normalised text; not empty.
struct Span {
  uint32_t begin = 0;
  uint32_t end = 0;
  friend bool operator==(const Span&, const Span&) = default;
};

// Part of a text: an added token (id >= 0), which nothing cuts any further, or what lies between them.
struct Piece {
  Span span;
  int32_t id = -1;
  friend bool operator==(const Piece&, const Piece&) = default;
};

}  // namespace bouquet::tokenizer
