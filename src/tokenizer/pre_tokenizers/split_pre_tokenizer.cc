// A pattern is looked for in each part of the text by itself.
#include "tokenizer/pre_tokenizers/split_pre_tokenizer.h"

#include "base/status.h"

namespace bouquet::tokenizer {
namespace {

struct Pattern {
  std::string source;  // a regular expression
  std::string place;
};

absl::StatusOr<Pattern> read_pattern(const JsonObject& json) {
  ASSIGN_OR_RETURN(const JsonObject pattern, json.object("pattern"));
  if (pattern.find("String")) {
    ASSIGN_OR_RETURN(const std::string_view text, pattern.text("String"));
    return Pattern{regex_escape(text), pattern.place_of("String")};
  }
  ASSIGN_OR_RETURN(const std::string_view source, pattern.text("Regex"));
  return Pattern{std::string(source), pattern.place_of("Regex")};
}

}  // namespace

absl::StatusOr<std::unique_ptr<const PreTokenizer>> SplitPreTokenizer::make(const JsonObject& json) {
  ASSIGN_OR_RETURN(const Pattern pattern, read_pattern(json));
  ASSIGN_OR_RETURN(const SplitBehavior behavior, split_behavior(json));
  ASSIGN_OR_RETURN(const bool invert, json.flag("invert"));
  const KnownPattern* const known = find_known_pattern(pattern.source);
  const bool keeps_all = behavior == SplitBehavior::kIsolated ||
                         (behavior == SplitBehavior::kRemoved && invert && known != nullptr && known->covers_all);
  if (known != nullptr && keeps_all) return std::make_unique<const KnownSplitPreTokenizer>(*known);
  ASSIGN_OR_RETURN(Regex regex, Regex::compile(pattern.source, pattern.place));
  return std::make_unique<const SplitPreTokenizer>(std::move(regex), behavior, invert);
}

void SplitPreTokenizer::cut(std::string_view text, Span part, std::vector<Piece>* words) const {
  thread_local std::vector<Segment> segments;  // kept from text to text
  segments.clear();
  uint32_t done = part.begin;
  const auto add = [&](uint32_t end, bool match) {
    segments.push_back({{done, end}, match});
    done = end;
  };
  regex_.for_each_match(text.substr(part.begin, part.end - part.begin), [&](size_t begin, size_t end) {
    const auto match_begin = static_cast<uint32_t>(part.begin + begin);
    if (done != match_begin) add(match_begin, invert_);
    add(static_cast<uint32_t>(part.begin + end), !invert_);
  });
  if (done != part.end) add(part.end, invert_);
  apply_behavior(behavior_, &segments, words);
}

}  // namespace bouquet::tokenizer
