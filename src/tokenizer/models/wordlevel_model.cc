// One look-up a word.
#include "tokenizer/models/wordlevel_model.h"

#include "base/status.h"

namespace bouquet::tokenizer {

absl::StatusOr<std::unique_ptr<const Model>> WordlevelModel::make(const JsonObject& json) {
  ASSIGN_OR_RETURN(const std::string_view unk_token, json.text("unk_token"));
  ASSIGN_OR_RETURN(const JsonObject vocab, json.object("vocab"));
  ASSIGN_OR_RETURN(Vocabulary vocabulary, Vocabulary::from_json(vocab));
  const std::optional<int32_t> unk_id = vocabulary.id(unk_token);
  if (!unk_id) return json_error(json.place_of("unk_token"), "is not in the vocabulary");
  return std::unique_ptr<const Model>(new WordlevelModel(std::move(vocabulary), *unk_id));
}

void WordlevelModel::tokenize(std::string_view text, std::span<const Piece> words, size_t limit,
                              TokenBuffer* tokens) const {
  for (const Piece& word : words) {
    if (tokens->size() >= limit) return;
    const auto [begin, end] = word.span;
    int32_t id = word.id;
    if (id < 0) id = vocabulary_.trie().find(text.substr(begin, end - begin));
    tokens->add(id < 0 ? unk_id_ : id, begin, end);
  }
}

}  // namespace bouquet::tokenizer
