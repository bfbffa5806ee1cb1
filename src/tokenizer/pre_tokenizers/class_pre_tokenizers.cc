// Each character of the class is a match.
#include "tokenizer/pre_tokenizers/class_pre_tokenizers.h"

#include "base/status.h"
#include "tokenizer/unicode/regex_classes.h"
#include "tokenizer/unicode/unicode.h"
#include "tokenizer/unicode/utf8_chars.h"

namespace bouquet::tokenizer {
namespace {

// A segment for each character that is in the class, and for each run of others.
template <typename InClass>
void cut_at(std::string_view text, Span part, SplitBehavior behavior, const InClass& in_class,
            std::vector<Piece>* words) {
  thread_local std::vector<Segment> segments;  // kept from text to text
  segments.clear();
  uint32_t begin = part.begin;
  for (uint32_t at = part.begin; at < part.end;) {
    const Utf8Char here = utf8_at(text, at);
    if (in_class(here.code)) {
      if (begin < at) segments.push_back({{begin, at}, false});
      begin = at + here.length;
      segments.push_back({{at, begin}, true});
    }
    at += here.length;
  }
  if (begin < part.end) segments.push_back({{begin, part.end}, false});
  apply_behavior(behavior, &segments, words);
}

}  // namespace

absl::StatusOr<std::unique_ptr<const PreTokenizer>> PunctuationPreTokenizer::make(const JsonObject& json) {
  SplitBehavior behavior = SplitBehavior::kIsolated;
  if (json.find("behavior")) {
    ASSIGN_OR_RETURN(behavior, split_behavior(json));
  }
  return std::make_unique<const PunctuationPreTokenizer>(behavior);
}

void PunctuationPreTokenizer::cut(std::string_view text, Span part, std::vector<Piece>* words) const {
  const UnicodeTable& table = UnicodeTable::get();
  cut_at(
      text, part, behavior_, [&](char32_t code) { return (table.flags(code) & kPunctuationFlag) != 0; }, words);
}

absl::StatusOr<std::unique_ptr<const PreTokenizer>> DigitsPreTokenizer::make(const JsonObject& json) {
  ASSIGN_OR_RETURN(const bool individual, json.flag_or("individual_digits", false));
  return std::make_unique<const DigitsPreTokenizer>(individual);
}

void DigitsPreTokenizer::cut(std::string_view text, Span part, std::vector<Piece>* words) const {
  const RegexClasses& classes = RegexClasses::get();
  const SplitBehavior behavior = individual_ ? SplitBehavior::kIsolated : SplitBehavior::kContiguous;
  cut_at(
      text, part, behavior, [&](char32_t code) { return (classes.of(code) & kNumericClass) != 0; }, words);
}

}  // namespace bouquet::tokenizer
