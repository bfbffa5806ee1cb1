// What decoders call cleanup: spaces before English punctuation and contractions go.
#pragma once

#include <string>

namespace bouquet::tokenizer {

void clean_up_english(std::string* token);

}  // namespace bouquet::tokenizer
