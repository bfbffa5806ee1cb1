// Longest match by trying every length; Viterbi over every substring; pairs joined by searching all of them each time.
#include "tokenizer/reference_models.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>

#include "fmt/format.h"
#include "tokenizer/unicode/byte_alphabet.h"
#include "tokenizer/unicode/utf8_chars.h"

namespace bouquet::tokenizer {
namespace {

std::vector<std::string> chars_of(const std::string& text) {
  std::vector<std::string> chars;
  for (size_t at = 0; at < text.size(); at += chars.back().size()) {
    chars.push_back(text.substr(at, utf8_length(text[at])));
  }
  return chars;
}

Offset span(size_t begin, size_t end) { return {static_cast<uint32_t>(begin), static_cast<uint32_t>(end)}; }

std::optional<int32_t> find(const ReferenceVocabulary& vocabulary, const std::string& token) {
  const auto found = vocabulary.find(token);
  return found == vocabulary.end() ? std::nullopt : std::optional(found->second);
}

// The ids of "<0xE4>" ... for all bytes; nothing where one is missing.
std::optional<std::vector<int32_t>> byte_ids(const ReferenceVocabulary& vocabulary, const std::string& bytes) {
  std::vector<int32_t> ids;
  for (const char byte : bytes) {
    const auto id = find(vocabulary, fmt::format("<0x{:02X}>", static_cast<unsigned char>(byte)));
    if (!id) return std::nullopt;
    ids.push_back(*id);
  }
  return ids;
}

// The best way to a byte: its last piece.
struct Step {
  double score = 0;
  size_t begin = 0;
  int32_t id = -1;  // -1: none leads here
};

// Symbols of a word while they are joined.
struct Part {
  int32_t id;
  size_t length;  // bytes
};

}  // namespace

ReferenceTokens WordpieceReference::tokenize(const std::string& word) const {
  const ReferenceTokens unknown = {{unk_id, span(0, word.size())}};
  if (chars_of(word).size() > most_chars) return unknown;
  ReferenceTokens tokens;
  for (size_t begin = 0; begin < word.size(); begin = tokens.back().bytes.end) {
    size_t end = word.size();
    std::optional<int32_t> id;
    for (; end > begin; --end) {
      id = find(vocabulary, (begin == 0 ? "" : prefix) + word.substr(begin, end - begin));
      if (id) break;
    }
    if (!id) return unknown;
    tokens.push_back({*id, span(begin, end)});
  }
  return tokens;
}

ReferenceTokens UnigramReference::tokenize(const std::string& word) const {
  ReferenceVocabulary vocabulary;
  double least = std::numeric_limits<double>::infinity();
  for (size_t id = 0; id < pieces.size(); ++id) {
    vocabulary[pieces[id].first] = static_cast<int32_t>(id);
    least = std::min(least, pieces[id].second);
  }
  std::vector<Step> best(word.size() + 1);
  const auto offer = [&](size_t begin, size_t end, int32_t id, double score) {
    const double sum = best[begin].score + score;
    if (best[end].id < 0 || sum > best[end].score) best[end] = {sum, begin, id};
  };
  for (size_t begin = 0; begin < word.size(); begin += utf8_length(word[begin])) {
    const size_t char_end = begin + utf8_length(word[begin]);
    for (size_t end = begin + 1; end <= word.size(); ++end) {
      const auto id = find(vocabulary, word.substr(begin, end - begin));
      if (id) offer(begin, end, *id, pieces[static_cast<size_t>(*id)].second);
      if (!id && end == char_end) offer(begin, end, unk_id, least - 10);
    }
  }
  std::vector<std::pair<size_t, size_t>> parts;  // from the last
  for (size_t end = word.size(); end > 0; end = parts.back().first) {
    const auto begin_of_run = [&](size_t at) {
      size_t begin = best[at].begin;
      while (best[at].id == unk_id && begin > 0 && best[begin].id == unk_id) begin = best[begin].begin;
      return begin;
    };
    parts.emplace_back(begin_of_run(end), end);
  }
  ReferenceTokens tokens;
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    const std::string text = word.substr(part->first, part->second - part->first);
    std::vector<int32_t> ids = {find(vocabulary, text).value_or(unk_id)};
    const auto bytes = byte_ids(vocabulary, text);
    if (byte_fallback && !vocabulary.contains(text) && bytes) ids = *bytes;
    for (const int32_t id : ids) tokens.push_back({id, span(part->first, part->second)});
  }
  return tokens;
}

namespace {

// The symbols a word begins with, as `tokenizers` puts them: an unknown one only once its end is seen.
std::vector<Part> symbols_of(const BpeReference& model, const std::string& word) {
  const std::vector<std::string> chars = chars_of(word);
  std::vector<Part> parts;
  std::optional<Part> unknown;
  const auto put_unknown = [&] {
    if (unknown) parts.push_back(*unknown);
    unknown.reset();
  };
  for (size_t i = 0; i < chars.size(); ++i) {
    const std::string symbol =
        (i == 0 ? "" : model.prefix) + chars[i] + (i + 1 == chars.size() ? model.suffix : std::string());
    const auto bytes = byte_ids(model.vocabulary, symbol);
    if (const auto id = find(model.vocabulary, symbol)) {
      put_unknown();
      parts.push_back({*id, chars[i].size()});
    } else if (model.byte_fallback && bytes) {
      for (const int32_t byte : *bytes) parts.push_back({byte, 1});
    } else if (!model.unk_token.empty()) {
      const size_t before = unknown && model.fuse_unk ? unknown->length : 0;
      if (!model.fuse_unk) put_unknown();
      unknown = Part{model.vocabulary.at(model.unk_token), before + chars[i].size()};
    }
  }
  put_unknown();
  return parts;
}

// Joins the leftmost of the pairs with the lowest rank until there is none.
void join_all(const BpeReference& model, std::vector<Part>* parts) {
  std::map<std::pair<int32_t, int32_t>, std::pair<size_t, int32_t>> joins;  // ids -> rank, id
  for (size_t rank = 0; rank < model.merges.size(); ++rank) {
    const auto& [left, right] = model.merges[rank];
    const std::string both = left + right.substr(model.prefix.size());
    joins[{model.vocabulary.at(left), model.vocabulary.at(right)}] = {rank, model.vocabulary.at(both)};
  }
  while (true) {
    size_t at = parts->size(), lowest = model.merges.size();
    int32_t id = 0;
    for (size_t i = 0; i + 1 < parts->size(); ++i) {
      const auto found = joins.find({(*parts)[i].id, (*parts)[i + 1].id});
      if (found == joins.end() || found->second.first >= lowest) continue;
      at = i;
      std::tie(lowest, id) = found->second;
    }
    if (at == parts->size()) return;
    (*parts)[at] = {id, (*parts)[at].length + (*parts)[at + 1].length};
    parts->erase(parts->begin() + static_cast<std::ptrdiff_t>(at) + 1);
  }
}

std::string to_alphabet(const std::string& bytes) {
  std::string result;
  for (const char byte : bytes) result += utf8_of(byte_to_char(static_cast<unsigned char>(byte)));
  return result;
}

}  // namespace

ReferenceTokens BpeReference::tokenize(const std::string& word) const {
  const std::string read = byte_level ? to_alphabet(word) : word;
  if (ignore_merges) {
    if (const auto id = find(vocabulary, read)) return {{*id, span(0, read.size())}};
  }
  std::vector<Part> parts = symbols_of(*this, read);
  join_all(*this, &parts);
  ReferenceTokens tokens;
  size_t begin = 0;
  for (const Part& part : parts) {
    tokens.push_back({part.id, span(begin, begin + part.length)});
    begin += part.length;
  }
  return tokens;
}

}  // namespace bouquet::tokenizer
