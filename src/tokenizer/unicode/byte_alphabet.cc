// Two tables made at compile time.
#include "tokenizer/unicode/byte_alphabet.h"

#include <array>
#include <cstdint>

#include "tokenizer/unicode/utf8_chars.h"

namespace bouquet::tokenizer {
namespace {

constexpr bool is_printed(uint32_t byte) {
  return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
}

constexpr std::array<uint16_t, 256> make_chars() {
  std::array<uint16_t, 256> chars = {};
  uint16_t next = 0x100;
  for (uint16_t byte = 0; byte < 256; ++byte) chars[byte] = is_printed(byte) ? byte : next++;
  return chars;
}

constexpr std::array<uint16_t, 256> kChars = make_chars();
constexpr size_t kCodes = 0x144;  // above every character of the alphabet
constexpr int16_t kNoByte = -1;

constexpr std::array<int16_t, kCodes> make_bytes() {
  std::array<int16_t, kCodes> bytes = {};
  for (int16_t& byte : bytes) byte = kNoByte;
  for (int16_t byte = 0; byte < 256; ++byte) bytes[kChars[static_cast<size_t>(byte)]] = byte;
  return bytes;
}

constexpr std::array<int16_t, kCodes> kBytes = make_bytes();

}  // namespace

char32_t byte_to_char(unsigned char byte) { return kChars[byte]; }

std::optional<char> char_to_byte(char32_t code) {
  if (code >= kCodes || kBytes[code] == kNoByte) return std::nullopt;
  return static_cast<char>(kBytes[code]);
}

std::optional<std::string> alphabet_to_bytes(std::string_view text) {
  std::string bytes;
  for (size_t at = 0; at < text.size();) {
    const Utf8Char here = utf8_at(text, at);
    const std::optional<char> byte = char_to_byte(here.code);
    if (!byte) return std::nullopt;
    bytes.push_back(*byte);
    at += here.length;
  }
  return bytes;
}

}  // namespace bouquet::tokenizer
