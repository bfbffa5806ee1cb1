// A model's own tokens: string -> id through a byte trie, id -> string through a sorted list.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "tokenizer/json_object.h"
#include "tokenizer/models/byte_trie.h"

namespace bouquet::tokenizer {

class Vocabulary {
 public:
  // From an object of string -> id. Of a string given twice the last counts.
  static absl::StatusOr<Vocabulary> from_json(const JsonObject& json);

  // Each string's id is its place in the list. Of a string given twice the last place counts, but both have the string.
  static Vocabulary from_list(const std::vector<std::string_view>& tokens);

  const ByteTrie& trie() const { return trie_; }
  // Of the tokens "<0x00>" to "<0xFF>"; ByteTrie::kNone for those it lacks.
  std::array<int32_t, 256> byte_fallback_ids() const;
  std::optional<int32_t> id(std::string_view token) const;
  std::string_view token(int32_t id) const;                                     // "" when there is none
  int32_t size() const { return size_; }                                        // how many strings
  bool shares_ids() const;                                                      // two strings have one id
  int32_t end_id() const { return by_id_.empty() ? 0 : by_id_.back().id + 1; }  // above every id

  // Calls visit(token, id) for every string.
  template <typename Visit>
  void for_each(const Visit& visit) const {
    for (const ById& entry : by_id_) visit(std::string_view(strings_).substr(entry.begin, entry.length), entry.id);
  }

 private:
  struct ById {
    int32_t id;
    uint32_t begin, length;  // in strings_
  };

  // Of a string given twice the last id counts.
  static Vocabulary build(const std::vector<ByteTrie::Entry>& ids);

  std::string strings_;
  std::vector<ById> by_id_;
  ByteTrie trie_;
  int32_t size_ = 0;
};

}  // namespace bouquet::tokenizer
