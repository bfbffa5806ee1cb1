// Choices read from bytes, which a fuzzer or a random generator makes; when they run out, each is the first.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace bouquet::tokenizer {

class Choices {
 public:
  explicit Choices(std::span<const uint8_t> bytes) : bytes_(bytes) {}

  bool empty() const { return bytes_.empty(); }

  // 0 to `count` - 1; `count` is 1 to 256.
  uint32_t below(uint32_t count) {
    if (bytes_.empty()) return 0;
    const uint32_t byte = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return byte % count;
  }
  uint32_t between(uint32_t least, uint32_t most) { return least + below(most - least + 1); }
  bool flag() { return below(2) == 1; }

  template <typename List>
  const auto& one_of(const List& list) {
    return list[below(static_cast<uint32_t>(std::size(list)))];
  }

  // Up to `most` members of `parts` one after the other.
  template <typename List>
  std::string join(const List& parts, size_t most) {
    std::string result;
    for (size_t n = 0; n < most && !empty(); ++n) result += one_of(parts);
    return result;
  }

 private:
  std::span<const uint8_t> bytes_;
};

}  // namespace bouquet::tokenizer
