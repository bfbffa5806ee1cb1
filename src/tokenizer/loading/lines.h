// The lines of a file's text, however they end.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace bouquet::tokenizer {

// f(index, line), from 0; nothing follows the last line's end.
template <class F>
void for_lines(std::string_view text, F f) {
  for (int32_t index = 0; !text.empty(); ++index) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    f(index, line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace bouquet::tokenizer
