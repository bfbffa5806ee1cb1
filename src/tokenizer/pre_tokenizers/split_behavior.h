// What becomes of the matches of a pattern and of what lies between them.
#pragma once

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "tokenizer/json_object.h"
#include "tokenizer/words.h"

namespace bouquet::tokenizer {

enum class SplitBehavior : uint8_t { kRemoved, kIsolated, kMergedWithPrevious, kMergedWithNext, kContiguous };

// Reads the field "behavior".
absl::StatusOr<SplitBehavior> split_behavior(const JsonObject& json);

// A part of a text; they follow one another without a gap, and may be empty.
struct Segment {
  Span span;
  bool match;
};

// Appends the words that `segments` are by `behavior`; changes `segments`.
void apply_behavior(SplitBehavior behavior, std::vector<Segment>* segments, std::vector<Piece>* words);

}  // namespace bouquet::tokenizer
