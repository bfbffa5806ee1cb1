// Flags by code point: a two-stage table, filled from delta-coded ranges.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace bouquet::tokenizer {

class CodePointFlags {
 public:
  uint16_t operator[](char32_t code) const { return pages_[page_of_[code >> 8]][code & 0xFF]; }

  void add(char32_t code, uint16_t flag) {
    uint16_t& page = page_of_[code >> 8];
    if (page == 0) {
      page = static_cast<uint16_t>(pages_.size());
      pages_.emplace_back();
    }
    pages_[page][code & 0xFF] |= flag;
  }

  // `gaps`: for each range the code points since the end of the last one, and its length.
  void add_ranges(std::span<const uint32_t> gaps, uint16_t flag) {
    char32_t code = 0;
    for (size_t i = 0; i < gaps.size(); i += 2) {
      code += gaps[i];
      for (const char32_t end = code + gaps[i + 1]; code < end; ++code) add(code, flag);
    }
  }

 private:
  std::vector<uint16_t> page_of_ = std::vector<uint16_t>(0x1100);  // 0: the page of characters without any flag
  std::vector<std::array<uint16_t, 256>> pages_ = std::vector<std::array<uint16_t, 256>>(1);
};

}  // namespace bouquet::tokenizer
