// Which characters stand side by side in some token: between two that never do, a word of byte-level BPE can be cut,
// since no merge reaches across.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace bouquet::tokenizer {

class CharPairs {
 public:
  // `token`: bytes, at its ends maybe of a part of a character.
  void add(std::string_view token);

  // Whether a token may reach from the character before `at` to the one at it; always where both are ASCII. `text` is
  // well-formed UTF-8, `at` the start of a character that is not the first.
  bool may_join(std::string_view text, size_t at) const {
    const auto left = static_cast<unsigned char>(text[at - 1]), right = static_cast<unsigned char>(text[at]);
    return (left < 0x80 && right < 0x80) || may_join_wide(text, at);
  }

 private:
  static constexpr size_t kSlots = 1 << 20;

  bool may_join_wide(std::string_view text, size_t at) const;

  std::unique_ptr<std::bitset<kSlots>> pairs_ = std::make_unique<std::bitset<kSlots>>();  // by hash of both characters
  std::unique_ptr<std::bitset<1 << 16>> bytes_ = std::make_unique<std::bitset<1 << 16>>();  // of parts of characters
};

}  // namespace bouquet::tokenizer
