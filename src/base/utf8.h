// UTF-8 validity: what enters the tokenizer and leaves in replies must be well formed.
#pragma once

#include <string>
#include <string_view>

namespace bouquet {

bool is_valid_utf8(std::string_view text);

// Each maximal ill-formed part becomes one U+FFFD, as Unicode recommends (and Python's "replace" does).
std::string replace_invalid_utf8(std::string_view text);

}  // namespace bouquet
