// A word goes on while the class of its characters stays the same.
#include "tokenizer/whitespace_pre_tokenizers.h"

#include <algorithm>

#include "tokenizer/unicode.h"
#include "tokenizer/utf8_chars.h"

namespace bouquet::tokenizer {
namespace {

constexpr int kSpace = 0;

// Appends maximal runs of characters whose class_of(flags) is the same and not kSpace.
template <typename ClassOf>
void split_runs(std::string_view text, Span part, const ClassOf& class_of, std::vector<Span>* words) {
  const UnicodeTable& table = UnicodeTable::get();
  uint32_t begin = part.begin;
  int open = kSpace;
  for (uint32_t at = part.begin; at < part.end;) {
    const Utf8Char here = utf8_at(text, at);
    const int kind = class_of(table.flags(here.code));
    if (kind != open) {
      if (open != kSpace) words->push_back({begin, at});
      begin = at;
      open = kind;
    }
    at += here.length;
  }
  if (open != kSpace) words->push_back({begin, part.end});
}

}  // namespace

void WhitespaceSplitPreTokenizer::split(std::string_view text, Span part, std::vector<Span>* words) const {
  split_runs(
      text, part, [](uint16_t flags) { return (flags & kWhitespaceFlag) != 0 ? kSpace : 1; }, words);
}

void WhitespacePreTokenizer::split(std::string_view text, Span part, std::vector<Span>* words) const {
  const auto class_of = [](uint16_t flags) {
    return (flags & kWordFlag) != 0 ? 1 : (flags & kWhitespaceFlag) != 0 ? kSpace : 2;
  };
  split_runs(text, part, class_of, words);
}

void SequencePreTokenizer::split(std::string_view text, Span part, std::vector<Span>* words) const {
  std::vector<Span> from = {part};
  std::vector<Span> to;
  for (const auto& pre_tokenizer : parts_) {
    to.clear();
    for (const Span& word : from) pre_tokenizer->split(text, word, &to);
    std::swap(from, to);
  }
  words->insert(words->end(), from.begin(), from.end());
}

bool SequencePreTokenizer::isolates_punctuation() const {
  return std::any_of(parts_.begin(), parts_.end(), [](const auto& part) { return part->isolates_punctuation(); });
}

}  // namespace bouquet::tokenizer
