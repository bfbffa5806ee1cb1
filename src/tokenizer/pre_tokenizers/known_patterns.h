// Hand-written scanners for the regular expressions that published tokenizers split with.
//
// Each cuts as its expression does with the behaviour Isolated; plain ASCII goes by ascii_words.h.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "tokenizer/pre_tokenizers/pre_tokenizer.h"

namespace bouquet::tokenizer {

struct KnownPattern {
  std::string_view name;   // of who published it
  std::string_view regex;  // exactly as it stands in files
  // Appends what bytes [part.begin, part.end) of `text` are cut into.
  void (*cut)(std::string_view text, Span part, std::vector<Piece>* words);
  CutRule rule;
  bool covers_all;  // no character lies between two matches
};

std::span<const KnownPattern> known_patterns();

// nullptr when the pattern is none of those.
const KnownPattern* find_known_pattern(std::string_view regex);

extern const KnownPattern kGpt2Pattern;
extern const KnownPattern kLlama3Pattern;
extern const KnownPattern kQwen2Pattern;

}  // namespace bouquet::tokenizer
