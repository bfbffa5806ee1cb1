// A word goes on while the class of its characters stays the same.
#include "tokenizer/pre_tokenizers/whitespace_pre_tokenizers.h"

#include "tokenizer/unicode/unicode.h"
#include "tokenizer/unicode/utf8_chars.h"

namespace bouquet::tokenizer {
namespace {

constexpr int kSpace = 0;

// Appends maximal runs of characters whose class_of(flags) is the same and not kSpace.
template <typename ClassOf>
void split_runs(std::string_view text, Span part, const ClassOf& class_of, std::vector<Piece>* words) {
  const UnicodeTable& table = UnicodeTable::get();
  uint32_t begin = part.begin;
  int open = kSpace;
  for (uint32_t at = part.begin; at < part.end;) {
    const Utf8Char here = utf8_at(text, at);
    const int kind = class_of(table.flags(here.code));
    if (kind != open) {
      if (open != kSpace) words->push_back({{begin, at}});
      begin = at;
      open = kind;
    }
    at += here.length;
  }
  if (open != kSpace) words->push_back({{begin, part.end}});
}

// White space outside of ASCII begins with one of these bytes (U+0085, U+00A0; U+1680; U+2000 to U+205F; U+3000).
bool may_begin_space(char lead) { return lead == '\xC2' || lead == '\xE1' || lead == '\xE2' || lead == '\xE3'; }

bool is_space(std::string_view text, size_t at) {
  const char lead = text[at];
  if (static_cast<unsigned char>(lead) < 0x80) return lead == ' ' || (lead >= '\t' && lead <= '\r');
  return may_begin_space(lead) && (UnicodeTable::get().flags(utf8_at(text, at).code) & kWhitespaceFlag) != 0;
}

}  // namespace

void WhitespaceSplitPreTokenizer::cut(std::string_view text, Span part, std::vector<Piece>* words) const {
  uint32_t begin = part.begin;
  for (uint32_t at = part.begin; at < part.end;) {
    const uint32_t length = utf8_length(text[at]);
    if (is_space(text, at)) {
      if (begin < at) words->push_back({{begin, at}});
      begin = at + length;
    }
    at += length;
  }
  if (begin < part.end) words->push_back({{begin, part.end}});
}

void WhitespacePreTokenizer::cut(std::string_view text, Span part, std::vector<Piece>* words) const {
  const auto class_of = [](uint16_t flags) {
    return (flags & kWordFlag) != 0 ? 1 : (flags & kWhitespaceFlag) != 0 ? kSpace : 2;
  };
  split_runs(text, part, class_of, words);
}

SequencePreTokenizer::SequencePreTokenizer(std::vector<std::unique_ptr<const PreTokenizer>> parts)
    : byte_level_(parts.back()->byte_level()), parts_(std::move(parts)) {
  std::erase_if(parts_, [](const auto& part) { return part->keeps_words(); });
}

void SequencePreTokenizer::split(const std::vector<Piece>& pieces, NormalizedText* text,
                                 std::vector<Piece>* out) const {
  thread_local std::vector<Piece> from;  // kept from text to text
  if (parts_.empty()) *out = pieces;
  for (size_t i = 0; i < parts_.size(); ++i) {
    if (i > 0) std::swap(from, *out);
    out->clear();
    parts_[i]->split(i == 0 ? pieces : from, text, out);
  }
}

// The first that has a rule decides: the others cut what it made.
CutRule SequencePreTokenizer::cut_rule() const {
  for (const auto& part : parts_) {
    if (part->cut_rule() != CutRule::kAsNext) return part->cut_rule();
  }
  return CutRule::kAsNext;
}

// One that looks beyond a word's characters must not stand before.
bool SequencePreTokenizer::isolates_punctuation() const {
  for (const auto& part : parts_) {
    if (part->isolates_punctuation()) return true;
    if (part->cut_rule() != CutRule::kAfterSpace && part->cut_rule() != CutRule::kAsNext) return false;
  }
  return false;
}

}  // namespace bouquet::tokenizer
