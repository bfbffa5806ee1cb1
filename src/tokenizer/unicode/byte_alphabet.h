// The byte-level alphabet (GPT-2): a printable character for each of the 256 bytes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bouquet::tokenizer {

// Itself where Latin-1 prints it; the others are U+0100 and on, in order.
char32_t byte_to_char(unsigned char byte);
std::optional<char> char_to_byte(char32_t code);

// Bytes for the characters of `text`, which is UTF-8; nothing when one is not in the alphabet.
std::optional<std::string> alphabet_to_bytes(std::string_view text);

}  // namespace bouquet::tokenizer
