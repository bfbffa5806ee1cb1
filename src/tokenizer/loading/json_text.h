// Writing JSON.
#pragma once

#include <string>
#include <string_view>

#include "fmt/format.h"

namespace bouquet::tokenizer {

// `text` as a JSON string, quoted.
inline std::string json_quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte == '"' || byte == '\\') {
      result.push_back('\\');
      result.push_back(c);
    } else if (byte < 0x20) {
      result += fmt::format("\\u{:04x}", byte);
    } else {
      result.push_back(c);
    }
  }
  return result + '"';
}

}  // namespace bouquet::tokenizer
