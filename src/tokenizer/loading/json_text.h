// Writing JSON.
#pragma once

#include <string>
#include <string_view>

#include "base/json_writer.h"

namespace bouquet::tokenizer {

// `text` as a JSON string, quoted.
inline std::string json_quoted(std::string_view text) { return std::move(JsonWriter().string(text)).str(); }

}  // namespace bouquet::tokenizer
