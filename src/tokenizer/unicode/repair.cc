// Takes the longest part that the base module would replace or keep, one at a time.
#include "tokenizer/unicode/repair.h"

#include <algorithm>

#include "base/utf8.h"
#include "tokenizer/unicode/utf8_chars.h"

namespace bouquet::tokenizer {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// Bytes of the character at the start of `bytes`, or of the ill-formed part there.
size_t part_length(std::string_view bytes, bool* valid) {
  const size_t whole = utf8_length(bytes[0]);
  *valid = whole <= bytes.size() && is_valid_utf8(bytes.substr(0, whole));
  if (*valid) return whole;
  // A prefix that one replacement stands for is ill formed as one part; the first length that needs two is too long.
  size_t length = 1;
  while (length < std::min<size_t>(whole, bytes.size()) &&
         replace_invalid_utf8(bytes.substr(0, length + 1)) == kReplacement) {
    ++length;
  }
  return length;
}

}  // namespace

void repair_utf8(std::string_view bytes, RepairedText* out) {
  out->text.clear();
  out->origins.clear();
  for (size_t at = 0; at < bytes.size();) {
    bool valid = false;
    const size_t length = part_length(bytes.substr(at), &valid);
    out->text.append(valid ? bytes.substr(at, length) : kReplacement);
    out->origins.resize(out->text.size(), static_cast<uint32_t>(at));
    at += length;
  }
  out->origins.push_back(static_cast<uint32_t>(bytes.size()));
}

}  // namespace bouquet::tokenizer
