// One scan each.
#include "tokenizer/pre_tokenizers/plain_pre_tokenizers.h"

#include "base/status.h"
#include "tokenizer/unicode/scripts.h"
#include "tokenizer/unicode/utf8_chars.h"

namespace bouquet::tokenizer {

absl::StatusOr<std::unique_ptr<const PreTokenizer>> CharDelimiterPreTokenizer::make(const JsonObject& json) {
  ASSIGN_OR_RETURN(const std::string_view delimiter, json.text("delimiter"));
  if (delimiter.empty() || utf8_length(delimiter[0]) != delimiter.size()) {
    return json_error(json.place_of("delimiter"), "is not one character");
  }
  return std::make_unique<const CharDelimiterPreTokenizer>(std::string(delimiter));
}

void CharDelimiterPreTokenizer::cut(std::string_view text, Span part, std::vector<Piece>* words) const {
  const std::string_view view = text.substr(0, part.end);
  for (size_t begin = part.begin; begin < part.end;) {
    const size_t end = std::min(view.find(delimiter_, begin), view.size());
    if (begin < end) words->push_back({{static_cast<uint32_t>(begin), static_cast<uint32_t>(end)}});
    begin = end + delimiter_.size();
  }
}

absl::StatusOr<std::unique_ptr<const PreTokenizer>> FixedLengthPreTokenizer::make(const JsonObject& json) {
  int32_t length = 5;  // where the file has none
  if (json.find("length")) {
    ASSIGN_OR_RETURN(length, json.number("length"));
  }
  if (length == 0) return json_error(json.place_of("length"), "is 0");
  return std::make_unique<const FixedLengthPreTokenizer>(length);
}

void FixedLengthPreTokenizer::cut(std::string_view text, Span part, std::vector<Piece>* words) const {
  for (uint32_t begin = part.begin, at = begin; begin < part.end; begin = at) {
    for (int32_t i = 0; i < length_ && at < part.end; ++i) at += utf8_length(text[at]);
    words->push_back({{begin, at}});
  }
}

void UnicodeScriptsPreTokenizer::cut(std::string_view text, Span part, std::vector<Piece>* words) const {
  const CodePointFlags& table = scripts();
  uint32_t begin = part.end;
  uint16_t last = 0;
  for (uint32_t at = part.begin; at < part.end;) {
    const Utf8Char here = utf8_at(text, at);
    const uint16_t script = table[here.code];
    if (script != 0 && script != last) {
      if (last != 0) words->push_back({{begin, at}});
      begin = at;
      last = script;
    }
    at += here.length;
  }
  if (last != 0) words->push_back({{begin, part.end}});
}

}  // namespace bouquet::tokenizer
