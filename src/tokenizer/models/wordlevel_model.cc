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

void WordlevelModel::tokenize_word(std::string_view text, Span word, TokenBuffer* tokens) const {
  const int32_t id = vocabulary_.trie().find(text.substr(word.begin, word.end - word.begin));
  tokens->add(id == ByteTrie::kNone ? unk_id_ : id, word.begin, word.end);
}

}  // namespace bouquet::tokenizer
