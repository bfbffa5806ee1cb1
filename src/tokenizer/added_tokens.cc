// Leftmost-longest search by a trie walk from every byte that may start a token.
#include "tokenizer/added_tokens.h"

#include <algorithm>
#include <cstring>

#include "base/status.h"
#include "tokenizer/strings.h"
#include "tokenizer/unicode/utf8_chars.h"

namespace bouquet::tokenizer {
namespace {

bool is_word(std::string_view text, size_t at) {
  return (UnicodeTable::get().flags(utf8_at(text, at).code) & kWordFlag) != 0;
}

bool is_space(std::string_view text, size_t at) {
  return (UnicodeTable::get().flags(utf8_at(text, at).code) & kWhitespaceFlag) != 0;
}

bool stands_alone(std::string_view text, size_t begin, size_t end) {
  return (begin == 0 || !is_word(text, utf8_previous(text, begin))) && (end == text.size() || !is_word(text, end));
}

absl::StatusOr<AddedToken> read_token(const JsonObject& json) {
  AddedToken token;
  ASSIGN_OR_RETURN(const std::string_view content, json.text("content"));
  token.content = content;
  RETURN_IF_ERROR(json.number("id").status());
  ASSIGN_OR_RETURN(token.single_word, json.flag("single_word"));
  ASSIGN_OR_RETURN(token.lstrip, json.flag("lstrip"));
  ASSIGN_OR_RETURN(token.rstrip, json.flag("rstrip"));
  ASSIGN_OR_RETURN(token.normalized, json.flag("normalized"));
  ASSIGN_OR_RETURN(token.special, json.flag("special"));
  return token;
}

std::string normalize(const Normalizer* normalizer, const std::string& content) {
  if (normalizer == nullptr) return content;
  NormalizerScratch scratch;
  NormalizedText text;
  text.reset(content);
  normalizer->normalize(&scratch, &text);
  return std::string(text.view());
}

}  // namespace

AddedTokenSearch::AddedTokenSearch(std::vector<Pattern> patterns) {
  std::set<std::string_view> seen;
  for (const Pattern& pattern : patterns) {
    if (!pattern.text.empty() && seen.insert(pattern.text).second) patterns_.push_back(pattern);
  }
  std::vector<ByteTrie::Entry> entries;
  for (const Pattern& pattern : patterns_) {
    const auto first = static_cast<unsigned char>(pattern.text[0]);
    only_start_ = entries.empty() || only_start_ == first ? first : -1;
    starts_[first] = true;
    entries.emplace_back(pattern.text, static_cast<int32_t>(entries.size()));
  }
  if (std::count(std::begin(starts_), std::end(starts_), true) != 1) only_start_ = -1;
  trie_ = ByteTrie(entries);
}

size_t AddedTokenSearch::next_candidate(std::string_view text, size_t from) const {
  if (only_start_ >= 0) {
    if (from >= text.size()) return text.size();
    const void* const found = std::memchr(text.data() + from, only_start_, text.size() - from);
    return found == nullptr ? text.size() : static_cast<size_t>(static_cast<const char*>(found) - text.data());
  }
  while (from < text.size() && !starts_[static_cast<unsigned char>(text[from])]) ++from;
  return from;
}

void AddedTokenSearch::find(std::string_view text, bool literal_special, std::vector<Piece>* pieces) const {
  const auto add = [&](size_t begin, size_t end, int32_t id) {
    if (begin < end) pieces->push_back({{static_cast<uint32_t>(begin), static_cast<uint32_t>(end)}, id});
  };
  size_t done = 0;  // end of the last piece
  for (size_t at = empty() ? text.size() : next_candidate(text, 0); at < text.size(); at = next_candidate(text, at)) {
    uint32_t node = ByteTrie::root();
    int32_t found = ByteTrie::kNone;
    size_t end = at;
    for (size_t i = at; i < text.size() && trie_.step(&node, text[i]); ++i) {
      if (trie_.value(node) == ByteTrie::kNone) continue;
      found = trie_.value(node);
      end = i + 1;
    }
    if (found == ByteTrie::kNone) {
      ++at;
      continue;
    }
    size_t begin = at;
    at = end;
    const Pattern& pattern = patterns_[static_cast<size_t>(found)];
    if (literal_special && pattern.literal_skips) continue;
    if (pattern.flags.single_word && !stands_alone(text, begin, end)) continue;
    if (pattern.flags.lstrip) {
      while (begin > done && is_space(text, utf8_previous(text, begin))) begin = utf8_previous(text, begin);
      begin = std::max(begin, done);
    }
    while (pattern.flags.rstrip && end < text.size() && is_space(text, end)) end += utf8_length(text[end]);
    add(done, begin, -1);
    add(begin, end, pattern.id);
    done = end;
  }
  add(done, text.size(), -1);
}

absl::StatusOr<AddedTokens> AddedTokens::from_json(const JsonObject& root, const Vocabulary& vocabulary,
                                                   const Normalizer* normalizer) {
  AddedTokens result;
  std::vector<AddedToken> specials, others;
  if (root.find("added_tokens")) {
    ASSIGN_OR_RETURN(const simdjson::dom::array array, root.array("added_tokens"));
    size_t index = 0;
    for (const JsonElement element : array) {
      ASSIGN_OR_RETURN(const JsonObject json,
                       JsonObject::of(element, concat({"added_tokens[", std::to_string(index++), "]"})));
      ASSIGN_OR_RETURN(const AddedToken token, read_token(json));
      if (token.content.empty()) continue;
      if (token.special && result.special_.insert(token.content).second) specials.push_back(token);
      others.push_back(token);
    }
  }
  std::vector<AddedToken> in_order = specials;
  for (const AddedToken& token : others) {
    const auto known = result.ids_.find(token.content);
    if (known != result.ids_.end() && result.tokens_.at(known->second) == token) continue;
    result.add(token, vocabulary);
    if (!result.is_special(token.content)) in_order.push_back(token);
  }
  result.build_searches(in_order, normalizer);
  return result;
}

void AddedTokens::add(const AddedToken& token, const Vocabulary& vocabulary) {
  int32_t id = 0;
  if (const auto known = ids_.find(token.content); known != ids_.end()) {
    id = known->second;
  } else if (const std::optional<int32_t> model_id = vocabulary.id(token.content)) {
    id = *model_id;
  } else {
    id = vocabulary.size();
    for (const auto& [content, other] : ids_) id = std::max(id, other + 1);
  }
  ids_[token.content] = id;
  tokens_[id] = token;
}

void AddedTokens::build_searches(const std::vector<AddedToken>& in_order, const Normalizer* normalizer) {
  std::vector<AddedTokenSearch::Pattern> raw, normalized;
  for (const AddedToken& token : in_order) {
    const int32_t id = ids_.at(token.content);
    const AddedToken& flags = tokens_.at(id);
    const std::string text = token.normalized ? normalize(normalizer, token.content) : token.content;
    (token.normalized ? normalized : raw).push_back({text, id, flags, is_special(flags.content)});
  }
  for (const auto& [id, token] : tokens_) {
    contents_[id] = token.normalized ? normalize(normalizer, token.content) : token.content;
  }
  raw_ = AddedTokenSearch(std::move(raw));
  normalized_ = AddedTokenSearch(std::move(normalized));
}

std::optional<int32_t> AddedTokens::id(std::string_view content) const {
  const auto found = ids_.find(content);
  return found == ids_.end() ? std::nullopt : std::optional<int32_t>(found->second);
}

std::string_view AddedTokens::content(int32_t id) const {
  const auto found = contents_.find(id);
  return found == contents_.end() ? std::string_view() : std::string_view(found->second);
}

}  // namespace bouquet::tokenizer
