// Tokens the file adds to the model's vocabulary, found in the text before anything else is done with it.
//
// Those with normalized = false are looked for in the raw text, the others in what is left, normalised. At each place
// the longest wins; the search goes on behind what was found, even where a flag then discards it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "tokenizer/json_object.h"
#include "tokenizer/models/byte_trie.h"
#include "tokenizer/models/vocabulary.h"
#include "tokenizer/normalizers/normalizer.h"
#include "tokenizer/words.h"

namespace bouquet::tokenizer {

struct AddedToken {
  std::string content;
  bool single_word = false;  // not inside a word
  bool lstrip = false;       // takes the white space before it
  bool rstrip = false;       // ... and after it
  bool normalized = true;
  bool special = false;
  friend bool operator==(const AddedToken&, const AddedToken&) = default;
};

// One set of strings looked for together.
class AddedTokenSearch {
 public:
  struct Pattern {
    std::string text;
    int32_t id;
    AddedToken flags;
    bool literal_skips;  // not found when special tokens are literal text
  };

  // Of patterns with the same text the first counts; empty ones are left out.
  explicit AddedTokenSearch(std::vector<Pattern> patterns = {});

  bool empty() const { return patterns_.empty(); }
  void find(std::string_view text, bool literal_special, std::vector<Piece>* pieces) const;
  const std::vector<Pattern>& patterns() const { return patterns_; }

 private:
  size_t next_candidate(std::string_view text, size_t from) const;

  std::vector<Pattern> patterns_;
  ByteTrie trie_;
  bool starts_[256] = {};  // first bytes of the patterns
  int only_start_ = -1;    // the first byte, when all share it
};

class AddedTokens {
 public:
  // Ids are given as `tokenizers` gives them: the model's where it knows the string, else the next free one.
  static absl::StatusOr<AddedTokens> from_json(const JsonObject& root, const Vocabulary& vocabulary,
                                               const Normalizer* normalizer);

  const AddedTokenSearch& raw() const { return raw_; }
  const AddedTokenSearch& normalized() const { return normalized_; }

  std::optional<int32_t> id(std::string_view content) const;
  // The token as it is decoded: normalised if it is looked for in normalised text. "" when there is none.
  std::string_view content(int32_t id) const;
  bool is_special(std::string_view content) const { return special_.contains(content); }
  int32_t end_id() const { return tokens_.empty() ? 0 : tokens_.rbegin()->first + 1; }

 private:
  void add(const AddedToken& token, const Vocabulary& vocabulary);
  void build_searches(const std::vector<AddedToken>& in_order, const Normalizer* normalizer);

  std::map<std::string, int32_t, std::less<>> ids_;
  std::map<int32_t, AddedToken> tokens_;
  std::map<int32_t, std::string> contents_;  // what content() returns
  std::set<std::string, std::less<>> special_;
  AddedTokenSearch raw_, normalized_;
};

}  // namespace bouquet::tokenizer
