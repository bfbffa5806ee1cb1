// The fourth step: where the special tokens go, and which type each part has.
#pragma once

#include <cstdint>
#include <vector>

namespace bouquet::tokenizer {

struct TemplatePiece {
  enum Kind : uint8_t { kFirst, kSecond, kSpecial };
  Kind kind = kFirst;
  uint8_t type_id = 0;
  std::vector<int32_t> ids = {};  // kSpecial: what is put there
};

// White space is taken off the offsets of every token, but where add_prefix_space may have put it there.
struct OffsetTrim {
  bool add_prefix_space;
};

// The default is what happens without a post-processor.
struct PostProcessor {
  std::vector<TemplatePiece> single = {{TemplatePiece::kFirst, 0}};
  std::vector<TemplatePiece> pair = {{TemplatePiece::kFirst, 0}, {TemplatePiece::kSecond, 1}};
  std::vector<OffsetTrim> trims = {};  // one after the other
};

inline int32_t special_count(const std::vector<TemplatePiece>& pieces) {
  int32_t count = 0;
  for (const TemplatePiece& piece : pieces) count += static_cast<int32_t>(piece.ids.size());
  return count;
}

}  // namespace bouquet::tokenizer
