// Counts are of characters, so the text is stepped through character by character.
#include "tokenizer/post_processors/trim_offsets.h"

#include <algorithm>

#include "base/status.h"
#include "tokenizer/unicode/byte_alphabet.h"
#include "tokenizer/unicode/unicode.h"
#include "tokenizer/unicode/utf8_chars.h"

namespace bouquet::tokenizer {
namespace {

uint32_t forward(std::string_view text, uint32_t at, uint32_t count, uint32_t end) {
  for (; count > 0 && at < end; --count) {
    do ++at;
    while (at < end && is_utf8_inner(text[at]));
  }
  return at;
}

// `at` itself when fewer than `count` characters stand before it.
uint32_t backward(std::string_view text, uint32_t at, uint32_t count) {
  uint32_t to = at;
  for (; count > 0; --count) {
    if (to == 0) return at;
    do --to;
    while (to > 0 && is_utf8_inner(text[to]));
  }
  return to;
}

bool is_space(char32_t code) {
  return code == byte_to_char(' ') || (UnicodeTable::get().flags(code) & kWhitespaceFlag) != 0;
}

}  // namespace

absl::StatusOr<PostProcessor> make_byte_level_processing(const JsonObject& json) {
  ASSIGN_OR_RETURN(const bool trims, json.flag("trim_offsets"));
  ASSIGN_OR_RETURN(const bool add_prefix_space, json.flag("add_prefix_space"));
  PostProcessor result;
  if (trims) result.trims.push_back({add_prefix_space});
  return result;
}

OffsetTrimmer::OffsetTrimmer(std::vector<OffsetTrim> passes, const Vocabulary& vocabulary, const AddedTokens& added)
    : passes_(std::move(passes)) {
  if (passes_.empty()) return;
  const int32_t end_id = std::max(vocabulary.end_id(), added.end_id());
  for (int32_t id = 0; id < end_id; ++id) {
    const std::string_view content = added.content(id);
    spaces_.push_back(spaces_of(content.empty() ? vocabulary.token(id) : content));
  }
  widened_.resize(spaces_.size());
  for (const AddedTokenSearch* const search : {&added.raw(), &added.normalized()}) {
    for (const AddedTokenSearch::Pattern& pattern : search->patterns()) {
      if (pattern.flags.lstrip || pattern.flags.rstrip) widened_[static_cast<size_t>(pattern.id)] = true;
    }
  }
}

OffsetTrimmer::Spaces OffsetTrimmer::spaces_of(std::string_view token) {
  Spaces spaces;
  for (size_t at = 0; at < token.size() && is_space(utf8_at(token, at).code); at += utf8_length(token[at])) {
    ++spaces.leading;
  }
  for (size_t end = token.size(); end > 0 && is_space(utf8_at(token, utf8_previous(token, end)).code);
       end = utf8_previous(token, end)) {
    ++spaces.trailing;
  }
  return spaces;
}

// A single space at the start stays where one is put before texts: it may be that one.
void OffsetTrimmer::apply(const OffsetTrim& pass, std::string_view text, Spaces spaces, bool first, Offset* offset) {
  const bool keeps = pass.add_prefix_space && spaces.leading == 1 && (first || offset->begin == 0);
  if (!keeps) offset->begin = forward(text, offset->begin, spaces.leading, offset->end);
  offset->end = std::max(backward(text, offset->end, spaces.trailing), offset->begin);
}

void OffsetTrimmer::trim(std::string_view text, std::span<const int32_t> ids, std::span<Offset> offsets) const {
  for (size_t i = 0; !passes_.empty() && i < ids.size(); ++i) {
    const auto id = static_cast<size_t>(ids[i]);
    const Spaces spaces =
        widened_[id] ? spaces_of(text.substr(offsets[i].begin, offsets[i].end - offsets[i].begin)) : spaces_[id];
    if (spaces.leading == 0 && spaces.trailing == 0) continue;
    for (const OffsetTrim& pass : passes_) apply(pass, text, spaces, i == 0, &offsets[i]);
  }
}

}  // namespace bouquet::tokenizer
