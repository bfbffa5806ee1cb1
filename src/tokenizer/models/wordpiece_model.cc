// Longest match is one walk down the trie; continuing pieces start at the node of the prefix.
#include "tokenizer/models/wordpiece_model.h"

#include <algorithm>

#include "base/status.h"

namespace bouquet::tokenizer {

absl::StatusOr<std::unique_ptr<const Model>> WordpieceModel::make(const JsonObject& json) {
  Options options;
  ASSIGN_OR_RETURN(const std::string_view unk_token, json.text("unk_token"));
  ASSIGN_OR_RETURN(const std::string_view prefix, json.text("continuing_subword_prefix"));
  ASSIGN_OR_RETURN(const int32_t max_chars, json.number("max_input_chars_per_word"));
  options.unk_token = unk_token;
  options.continuing_subword_prefix = prefix;
  options.max_input_chars_per_word = static_cast<uint32_t>(max_chars);
  ASSIGN_OR_RETURN(const JsonObject vocab, json.object("vocab"));
  ASSIGN_OR_RETURN(Vocabulary vocabulary, Vocabulary::from_json(vocab));
  const std::optional<int32_t> unk_id = vocabulary.id(unk_token);
  if (!unk_id) return json_error(json.place_of("unk_token"), "is not in the vocabulary");
  return std::unique_ptr<const Model>(new WordpieceModel(std::move(options), std::move(vocabulary), *unk_id));
}

WordpieceModel::WordpieceModel(Options options, Vocabulary vocabulary, int32_t unk_id)
    : options_(std::move(options)), vocabulary_(std::move(vocabulary)), unk_id_(unk_id) {
  has_continuing_ = vocabulary_.trie().walk(options_.continuing_subword_prefix, &continuing_);
}

bool WordpieceModel::too_long(std::string_view word) const {
  if (word.size() <= options_.max_input_chars_per_word) return false;
  const auto chars = std::count_if(word.begin(), word.end(), [](char byte) { return (byte & 0xC0) != 0x80; });
  return static_cast<size_t>(chars) > options_.max_input_chars_per_word;
}

void WordpieceModel::tokenize_word(std::string_view text, Span word, TokenBuffer* tokens) const {
  const ByteTrie& trie = vocabulary_.trie();
  const size_t before = tokens->size();
  bool known = !too_long(text.substr(word.begin, word.end - word.begin));
  for (uint32_t begin = word.begin; known && begin < word.end;) {
    if (begin > word.begin && !has_continuing_) {
      known = false;
      break;
    }
    uint32_t node = begin == word.begin ? ByteTrie::root() : continuing_;
    uint32_t end = begin;
    int32_t id = ByteTrie::kNone;
    for (uint32_t at = begin; at < word.end && trie.step(&node, text[at]); ++at) {
      if (const int32_t value = trie.value(node); value != ByteTrie::kNone) {
        id = value;
        end = at + 1;
      }
    }
    known = id != ByteTrie::kNone;
    if (known) tokens->add(id, begin, end);
    begin = end;
  }
  if (known) return;
  tokens->resize(before);
  tokens->add(unk_id_, word.begin, word.end);
}

}  // namespace bouquet::tokenizer
