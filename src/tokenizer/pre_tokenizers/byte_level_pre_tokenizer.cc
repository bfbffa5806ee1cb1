// The text is written anew only where spaces are put in, or for the alphabet.
#include "tokenizer/pre_tokenizers/byte_level_pre_tokenizer.h"

#include <algorithm>

#include "base/status.h"
#include "tokenizer/pre_tokenizers/known_patterns.h"
#include "tokenizer/unicode/byte_alphabet.h"

namespace bouquet::tokenizer {

absl::StatusOr<std::unique_ptr<const PreTokenizer>> ByteLevelPreTokenizer::make(const JsonObject& json) {
  ASSIGN_OR_RETURN(const bool add_prefix_space, json.flag("add_prefix_space"));
  ASSIGN_OR_RETURN(const bool use_regex, json.flag_or("use_regex", true));  // files may be older than the field
  return std::make_unique<const ByteLevelPreTokenizer>(add_prefix_space, use_regex);
}

// Before a space no other is put in.
CutRule ByteLevelPreTokenizer::cut_rule() const {
  if (!use_regex_) return add_prefix_space_ ? CutRule::kNowhere : CutRule::kAsNext;
  return add_prefix_space_ ? CutRule::kBeforeSpace : CutRule::kAfterLetter;
}

void ByteLevelPreTokenizer::split(const std::vector<Piece>& pieces, NormalizedText* text,
                                  std::vector<Piece>* out) const {
  thread_local std::vector<Piece> spaced;  // kept from text to text
  const auto lacks_space = [&](const Piece& piece) { return piece.id < 0 && text->view()[piece.span.begin] != ' '; };
  const bool adds = add_prefix_space_ && std::any_of(pieces.begin(), pieces.end(), lacks_space);
  if (adds) add_spaces(pieces, text, &spaced);
  for (const Piece& piece : adds ? spaced : pieces) {
    if (piece.id >= 0 || !use_regex_) {
      out->push_back(piece);
    } else {
      kGpt2Pattern.cut(text->view(), piece.span, out);
    }
  }
}

void ByteLevelPreTokenizer::add_spaces(const std::vector<Piece>& pieces, NormalizedText* text,
                                       std::vector<Piece>* out) const {
  out->clear();
  text->begin_stage();
  for (const Piece& piece : pieces) {
    const uint32_t begin = text->staged(), from = piece.span.begin;
    if (piece.id < 0 && text->view()[from] != ' ') text->put(" ", text->origin(from));
    text->copy_run(from, piece.span.end - from);
    out->push_back({{begin, text->staged()}, piece.id});
  }
  text->commit();
}

void ByteAlphabetPreTokenizer::split(const std::vector<Piece>& pieces, NormalizedText* text,
                                     std::vector<Piece>* out) const {
  thread_local std::vector<Piece> kept;  // from text to text; there may be another of this kind inside
  std::vector<Piece> words = std::move(kept);
  words.clear();
  inner_->split(pieces, text, &words);
  const std::string_view view = text->view();
  text->begin_stage();
  for (const Piece& word : words) {
    const uint32_t begin = text->staged();
    if (word.id >= 0) text->copy_run(word.span.begin, word.span.end - word.span.begin);
    uint32_t origin = 0;
    for (uint32_t at = word.span.begin; word.id < 0 && at < word.span.end; ++at) {
      if ((static_cast<unsigned char>(view[at]) & 0xC0) != 0x80) origin = text->origin(at);
      text->put(byte_to_char(static_cast<unsigned char>(view[at])), origin);
    }
    out->push_back({{begin, text->staged()}, word.id});
  }
  text->commit();
  kept = std::move(words);
}

}  // namespace bouquet::tokenizer
