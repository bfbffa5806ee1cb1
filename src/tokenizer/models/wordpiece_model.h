// WordPiece: a word is cut, from the left, into the longest pieces of the vocabulary; one that cannot be is unknown.
#pragma once

#include <memory>
#include <string>

#include "tokenizer/models/model.h"

namespace bouquet::tokenizer {

class WordpieceModel final : public Model {
 public:
  struct Options {
    std::string unk_token;
    std::string continuing_subword_prefix;  // of every piece but a word's first
    uint32_t max_input_chars_per_word = 100;
  };

  // INVALID_ARGUMENT when the vocabulary lacks the unknown token.
  static absl::StatusOr<std::unique_ptr<const Model>> make(const JsonObject& json);

  const Vocabulary& vocabulary() const override { return vocabulary_; }

 private:
  WordpieceModel(Options options, Vocabulary vocabulary, int32_t unk_id);

  void tokenize_word(std::string_view text, Span word, TokenBuffer* tokens) const override;
  bool too_long(std::string_view word) const;

  Options options_;
  Vocabulary vocabulary_;
  int32_t unk_id_;
  bool has_continuing_;      // whether any piece starts with the prefix
  uint32_t continuing_ = 0;  // the trie's node under the prefix
};

}  // namespace bouquet::tokenizer
