// A hash of what decides ids: equal fingerprints give equal ids.
#pragma once

#include "tokenizer/json_object.h"

namespace bouquet::tokenizer {

// Of the parsed tokenizer.json: how the file is laid out does not count, nor do its decoder and other parts that leave
// ids alone.
uint64_t fingerprint_of(const JsonObject& root);

}  // namespace bouquet::tokenizer
