// Extended grapheme clusters (UAX #29), which Precompiled normalises one by one.
#pragma once

#include <cstddef>
#include <string_view>

namespace bouquet::tokenizer {

// End of the cluster that begins at `at` (< text.size()), as the Unicode version of `tokenizers` has it. Exact where
// the cluster is shorter than 6 bytes, and in saying that it is not: nobody asks more.
size_t grapheme_end(std::string_view text, size_t at);

// Two such characters side by side are never one cluster.
bool stands_apart(char32_t code);

}  // namespace bouquet::tokenizer
