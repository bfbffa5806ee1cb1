// The scripts of characters as the pre-tokenizer UnicodeScripts has them: Han, Hiragana and Katakana are one.
#pragma once

#include "tokenizer/unicode/code_point_flags.h"

namespace bouquet::tokenizer {

// By code point a number for its script; 0: none, as a space. Built at first use, never destroyed.
const CodePointFlags& scripts();

}  // namespace bouquet::tokenizer
