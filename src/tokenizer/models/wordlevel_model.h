// WordLevel: each word is a token of the vocabulary, or unknown.
#pragma once

#include <memory>

#include "tokenizer/models/model.h"

namespace bouquet::tokenizer {

class WordlevelModel final : public Model {
 public:
  // INVALID_ARGUMENT when the vocabulary lacks the unknown token.
  static absl::StatusOr<std::unique_ptr<const Model>> make(const JsonObject& json);

  void tokenize(std::string_view text, std::span<const Piece> words, size_t limit, TokenBuffer* tokens) const override;
  const Vocabulary& vocabulary() const override { return vocabulary_; }

 private:
  WordlevelModel(Vocabulary vocabulary, int32_t unk_id) : vocabulary_(std::move(vocabulary)), unk_id_(unk_id) {}

  Vocabulary vocabulary_;
  int32_t unk_id_;
};

}  // namespace bouquet::tokenizer
