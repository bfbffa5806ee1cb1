// Reading and writing single characters of UTF-8 that is known to be well formed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace bouquet::tokenizer {

struct Utf8Char {
  char32_t code = 0;
  uint32_t length = 0;  // bytes
};

// Bytes of the character that starts with `lead`.
inline uint32_t utf8_length(char lead) {
  const auto byte = static_cast<unsigned char>(lead);
  return byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

// Whether the byte continues a character.
inline bool is_utf8_inner(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

// The character at `at`, which must be the start of one.
inline Utf8Char utf8_at(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(text[at + i])); };
  const char32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  if (lead < 0xE0) return {(lead & 0x1F) << 6 | (byte(1) & 0x3F), 2};
  if (lead < 0xF0) return {(lead & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F), 3};
  return {(lead & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 | (byte(3) & 0x3F), 4};
}

// Start of the character that ends just before `at` (at > 0).
inline size_t utf8_previous(std::string_view text, size_t at) {
  do --at;
  while (at > 0 && is_utf8_inner(text[at]));
  return at;
}

// Writes `code` at `out` (room for 4 bytes) and returns how many bytes it took.
inline uint32_t utf8_write(char32_t code, char* out) {
  if (code < 0x80) {
    out[0] = static_cast<char>(code);
    return 1;
  }
  if (code < 0x800) {
    out[0] = static_cast<char>(0xC0 | code >> 6);
    out[1] = static_cast<char>(0x80 | (code & 0x3F));
    return 2;
  }
  if (code < 0x10000) {
    out[0] = static_cast<char>(0xE0 | code >> 12);
    out[1] = static_cast<char>(0x80 | (code >> 6 & 0x3F));
    out[2] = static_cast<char>(0x80 | (code & 0x3F));
    return 3;
  }
  out[0] = static_cast<char>(0xF0 | code >> 18);
  out[1] = static_cast<char>(0x80 | (code >> 12 & 0x3F));
  out[2] = static_cast<char>(0x80 | (code >> 6 & 0x3F));
  out[3] = static_cast<char>(0x80 | (code & 0x3F));
  return 4;
}

inline std::string utf8_of(char32_t code) {
  char bytes[4];
  return std::string(bytes, utf8_write(code, bytes));
}

}  // namespace bouquet::tokenizer
