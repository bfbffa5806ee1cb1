// Joining and replacing over std::string_view (the installed absl takes only its own string_view).
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace bouquet::tokenizer {

inline std::string concat(std::initializer_list<std::string_view> parts) {
  std::string result;
  for (const std::string_view part : parts) result.append(part);
  return result;
}

// Replaces every `from` (not empty) in `text`, left to right, without looking at what was put in.
inline void replace_all(std::string_view from, std::string_view to, std::string* text) {
  for (size_t at = text->find(from); at != std::string::npos; at = text->find(from, at + to.size())) {
    text->replace(at, from.size(), to);
  }
}

}  // namespace bouquet::tokenizer
