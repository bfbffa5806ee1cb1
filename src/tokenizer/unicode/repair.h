// Well-formed UTF-8 from any bytes, with the place every byte comes from.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bouquet::tokenizer {

struct RepairedText {
  std::string text;
  std::vector<uint32_t> origins;  // for every start of a character, and the end: where it is in the source
};

// As bouquet::replace_invalid_utf8: each maximal ill-formed part becomes one U+FFFD. Replaces what `out` held.
void repair_utf8(std::string_view bytes, RepairedText* out);

}  // namespace bouquet::tokenizer
