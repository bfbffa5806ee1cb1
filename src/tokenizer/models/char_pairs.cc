// Two pairs may share a slot: a word is then cut less often than it could be.
#include "tokenizer/models/char_pairs.h"

#include "tokenizer/unicode/utf8_chars.h"

namespace bouquet::tokenizer {
namespace {

size_t slot_of(char32_t left, char32_t right) { return (left * 0x9E3779B97F4A7C15 + right) * 0xD6E8FEB86659FD93 >> 44; }

size_t slot_of_bytes(char left, char right) {
  return static_cast<size_t>(static_cast<unsigned char>(left)) << 8 | static_cast<unsigned char>(right);
}

}  // namespace

void CharPairs::add(std::string_view token) {
  for (size_t at = 1; at < token.size(); ++at) {
    const bool ascii = static_cast<unsigned char>(token[at - 1] | token[at]) < 0x80;
    if (ascii || is_utf8_inner(token[at])) continue;
    const size_t begin = utf8_previous(token, at), length = utf8_length(token[at]);
    const bool whole_left = !is_utf8_inner(token[begin]) && begin + utf8_length(token[begin]) == at;
    const bool whole_right =
        at + length <= token.size() && (at + length == token.size() || !is_utf8_inner(token[at + length]));
    if (whole_left && whole_right) {
      pairs_->set(slot_of(utf8_at(token, begin).code, utf8_at(token, at).code));
    } else {
      bytes_->set(slot_of_bytes(token[at - 1], token[at]));
    }
  }
}

bool CharPairs::may_join_wide(std::string_view text, size_t at) const {
  if (bytes_->test(slot_of_bytes(text[at - 1], text[at]))) return true;
  return pairs_->test(slot_of(utf8_at(text, utf8_previous(text, at)).code, utf8_at(text, at).code));
}

}  // namespace bouquet::tokenizer
