// One scan; ASCII through a table of 256 classes.
#include "tokenizer/pre_tokenizers/bert_pre_tokenizer.h"

#include "tokenizer/unicode/unicode.h"
#include "tokenizer/unicode/utf8_chars.h"

namespace bouquet::tokenizer {
namespace {

uint8_t class_of(char32_t code, uint8_t letter, uint8_t space, uint8_t punctuation) {
  const uint16_t flags = UnicodeTable::get().flags(code);
  return (flags & kWhitespaceFlag) != 0 ? space : (flags & kPunctuationFlag) != 0 ? punctuation : letter;
}

}  // namespace

BertPreTokenizer::BertPreTokenizer() {
  for (uint32_t byte = 0; byte < 256; ++byte) {
    class_of_[byte] = byte < 0x80 ? class_of(byte, kLetter, kSpace, kPunctuation) : static_cast<uint8_t>(kNotAscii);
  }
}

void BertPreTokenizer::cut(std::string_view text, Span part, std::vector<Piece>* words) const {
  uint32_t begin = part.begin;
  for (uint32_t at = part.begin; at < part.end;) {
    uint8_t kind = class_of_[static_cast<unsigned char>(text[at])];
    if (kind == kLetter) {
      ++at;
      continue;
    }
    uint32_t length = 1;
    if (kind == kNotAscii) {
      const Utf8Char here = utf8_at(text, at);
      length = here.length;
      kind = class_of(here.code, kLetter, kSpace, kPunctuation);
    }
    if (kind != kLetter) {
      if (begin < at) words->push_back({{begin, at}});
      if (kind == kPunctuation) words->push_back({{at, at + length}});
      begin = at + length;
    }
    at += length;
  }
  if (begin < part.end) words->push_back({{begin, part.end}});
}

}  // namespace bouquet::tokenizer
