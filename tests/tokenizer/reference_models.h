// The models once more, slowly and plainly: what their definitions say, over strings and standard containers, with no
// thought of speed. The real ones must give the same tokens.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tokenizer/tokenizer.h"

namespace bouquet::tokenizer {

struct ReferenceToken {
  int32_t id;
  Offset bytes;  // of the word
  friend bool operator==(const ReferenceToken&, const ReferenceToken&) = default;
};

using ReferenceTokens = std::vector<ReferenceToken>;
using ReferenceVocabulary = std::unordered_map<std::string, int32_t>;

struct WordpieceReference {
  ReferenceVocabulary vocabulary;
  std::string prefix;  // of every piece but a word's first
  size_t most_chars = 100;
  int32_t unk_id = 0;

  ReferenceTokens tokenize(const std::string& word) const;
};

struct UnigramReference {
  std::vector<std::pair<std::string, double>> pieces;  // id: place
  int32_t unk_id = 0;
  bool byte_fallback = false;

  ReferenceTokens tokenize(const std::string& word) const;
};

struct BpeReference {
  ReferenceVocabulary vocabulary;
  std::vector<std::pair<std::string, std::string>> merges;  // rank: place
  std::string unk_token;                                    // "" for none
  std::string prefix;                                       // of every character but a word's first
  std::string suffix;                                       // of a word's last character
  bool fuse_unk = false;
  bool byte_fallback = false;
  bool ignore_merges = false;
  bool byte_level = false;  // words are read as characters of the byte-level alphabet, one for each byte

  ReferenceTokens tokenize(const std::string& word) const;
};

}  // namespace bouquet::tokenizer
