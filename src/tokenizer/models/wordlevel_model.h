// WordLevel: each word is a token of the vocabulary, or unknown.
#pragma once

#include <memory>

#include "tokenizer/models/model.h"

namespace bouquet::tokenizer {

class WordlevelModel final : public Model {
 public:
  // INVALID_ARGUMENT when the vocabulary lacks the unknown token.
  static absl::StatusOr<std::unique_ptr<const Model>> make(const JsonObject& json);

  const Vocabulary& vocabulary() const override { return vocabulary_; }

 private:
  WordlevelModel(Vocabulary vocabulary, int32_t unk_id) : vocabulary_(std::move(vocabulary)), unk_id_(unk_id) {}

  void tokenize_word(std::string_view text, Span word, TokenBuffer* tokens) const override;

  Vocabulary vocabulary_;
  int32_t unk_id_;
};

}  // namespace bouquet::tokenizer
