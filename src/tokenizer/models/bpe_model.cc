// A word is looked up whole first; else it is put as symbols, merged and written out.
#include "tokenizer/models/bpe_model.h"

#include <algorithm>
#include <bit>

#include "base/status.h"
#include "fmt/format.h"
#include "tokenizer/strings.h"
#include "tokenizer/unicode/byte_alphabet.h"
#include "tokenizer/unicode/utf8_chars.h"

namespace bouquet::tokenizer {
namespace {

constexpr std::string_view kMark = "\u2581";  // what SentencePiece writes for a space

std::vector<Symbol>& symbol_scratch() {
  thread_local std::vector<Symbol> symbols;
  return symbols;
}

// Whether the byte occurs in UTF-8.
bool is_in_utf8(size_t byte) { return byte != 0xC0 && byte != 0xC1 && byte < 0xF5; }

// Whether a mark follows another character.
bool has_inner_mark(std::string_view token) {
  for (size_t at = token.find(kMark, 1); at != std::string_view::npos; at = token.find(kMark, at + 1)) {
    if (!token.substr(0, at).ends_with(kMark)) return true;
  }
  return false;
}

// The tokens of a word that was merged to `symbols`, which have `length` bytes.
void add_symbols(std::string_view text, Span word, std::span<const Symbol> symbols, uint32_t length,
                 TokenBuffer* tokens) {
  for (size_t i = 0; i < symbols.size(); ++i) {
    const uint32_t next = i + 1 < symbols.size() ? symbols[i + 1].begin : length;
    uint32_t begin = std::min(word.begin + symbols[i].begin, word.end - 1);
    uint32_t end = std::min(word.begin + next, word.end);
    while (is_utf8_inner(text[begin])) --begin;
    while (end < word.end && is_utf8_inner(text[end])) ++end;
    tokens->add(symbols[i].id, begin, end);
  }
}

absl::Status read_text(const JsonObject& json, std::string_view key, std::string* out) {
  if (!json.find(key)) return absl::OkStatus();
  ASSIGN_OR_RETURN(const std::string_view text, json.text(key));
  *out = text;
  return absl::OkStatus();
}

absl::StatusOr<BpeModel::Options> read_options(const JsonObject& json) {
  BpeModel::Options options;
  RETURN_IF_ERROR(read_text(json, "unk_token", &options.unk_token));
  RETURN_IF_ERROR(read_text(json, "continuing_subword_prefix", &options.continuing_subword_prefix));
  RETURN_IF_ERROR(read_text(json, "end_of_word_suffix", &options.end_of_word_suffix));
  ASSIGN_OR_RETURN(options.fuse_unk, json.flag_or("fuse_unk", false));
  ASSIGN_OR_RETURN(options.byte_fallback, json.flag_or("byte_fallback", false));
  ASSIGN_OR_RETURN(options.ignore_merges, json.flag_or("ignore_merges", false));
  const std::optional<JsonElement> dropout = json.find("dropout");
  double probability = 0;
  if (dropout && dropout->get(probability) != simdjson::SUCCESS) {
    return json_error(json.place_of("dropout"), "is not a number");
  }
  if (probability != 0) return absl::UnimplementedError("tokenizer.json: dropout of BPE is not supported");
  return options;
}

}  // namespace

absl::StatusOr<std::unique_ptr<const Model>> BpeModel::make(const JsonObject& json, bool byte_level) {
  ASSIGN_OR_RETURN(Options options, read_options(json));
  ASSIGN_OR_RETURN(const JsonObject vocab, json.object("vocab"));
  ASSIGN_OR_RETURN(Vocabulary vocabulary, Vocabulary::from_json(vocab));
  std::unique_ptr<BpeModel> model(new BpeModel(std::move(options), std::move(vocabulary)));
  RETURN_IF_ERROR(model->load_merges(json));
  model->prepare(byte_level);
  const std::string& unk_token = model->options_.unk_token;
  if (!unk_token.empty() && model->unk_id_ == kNone && !model->reads_bytes_) {
    return json_error(json.place_of("unk_token"), "is not in the vocabulary");
  }
  return std::unique_ptr<const Model>(std::move(model));
}

// Each is ["a", "b"] or "a b".
absl::Status BpeModel::load_merges(const JsonObject& json) {
  ASSIGN_OR_RETURN(const simdjson::dom::array array, json.array("merges"));
  merges_ = PairTable(array.size());
  uint32_t rank = 0;
  size_t index = 0;
  for (const JsonElement element : array) {
    const std::string place = fmt::format("{}[{}]", json.place_of("merges"), index++);
    std::string_view left, right, line;
    if (element.get(line) == simdjson::SUCCESS) {
      if (line.starts_with("#version")) continue;
      const size_t space = line.find(' ');
      if (space == std::string_view::npos || line.find(' ', space + 1) != std::string_view::npos) {
        return json_error(place, "is not two tokens and a space between them");
      }
      left = line.substr(0, space);
      right = line.substr(space + 1);
    } else if (element.at(0).get(left) != simdjson::SUCCESS || element.at(1).get(right) != simdjson::SUCCESS) {
      return json_error(place, "is not a pair of tokens");
    }
    RETURN_IF_ERROR(add_merge(left, right, rank++, place));
  }
  return absl::OkStatus();
}

absl::Status BpeModel::add_merge(std::string_view left, std::string_view right, uint32_t rank,
                                 const std::string& place) {
  const size_t prefix = options_.continuing_subword_prefix.size();
  if (right.size() < prefix) return json_error(place, "lacks the continuing_subword_prefix");
  const std::string joined = concat({left, right.substr(prefix)});
  joins_over_mark_ |= has_inner_mark(joined);
  for (const std::string_view token : {left, right, std::string_view(joined)}) {
    if (!vocabulary_.id(token))
      return json_error(place, fmt::format("needs \"{}\", which is not in the vocabulary", token));
  }
  merges_.set(*vocabulary_.id(left), *vocabulary_.id(right), {rank, *vocabulary_.id(joined)});
  return absl::OkStatus();
}

void BpeModel::prepare(bool byte_level) {
  const ByteTrie& trie = vocabulary_.trie();
  unk_id_ = options_.unk_token.empty() ? kNone : trie.find(options_.unk_token);
  has_continuing_ = trie.walk(options_.continuing_subword_prefix, &continuing_);
  const bool plain = options_.continuing_subword_prefix.empty() && options_.end_of_word_suffix.empty();
  const bool apart = !options_.ignore_merges && !vocabulary_.shares_ids();  // what parts consist of is known
  reads_bytes_ = byte_level && plain;
  for (size_t byte = 0; reads_bytes_ && byte < byte_ids_.size(); ++byte) {
    byte_ids_[byte] = trie.find(utf8_of(byte_to_char(static_cast<unsigned char>(byte))));
    reads_bytes_ = byte_ids_[byte] != kNone || !is_in_utf8(byte);
  }
  // Characters that are left out move all that follows in the word, over any mark.
  parts_at_mark_ =
      !reads_bytes_ && plain && unk_id_ != kNone && apart && !joins_over_mark_ && trie.find(kMark) != kNone;
  if (!reads_bytes_) byte_ids_ = vocabulary_.byte_fallback_ids();
  if (reads_bytes_ && apart) pairs_.emplace();
  find_whole_words();
}

// By trying every token of the vocabulary as a word.
void BpeModel::find_whole_words() {
  WholeWords found;
  const std::string_view suffix = options_.end_of_word_suffix;
  vocabulary_.for_each([&](std::string_view token, int32_t id) {
    const std::optional<std::string> bytes = reads_bytes_ ? alphabet_to_bytes(token) : std::string(token);
    if (bytes) try_whole_word(*bytes, id, &found);
    if (bytes && pairs_) pairs_->add(*bytes);
    if (suffix.empty() || !token.ends_with(suffix)) return;
    const std::string word(token.substr(0, token.size() - suffix.size()));
    try_whole_word(word, vocabulary_.trie().find(word), &found);
  });
  whole_ = WordTable(found.size());
  std::vector<ByteTrie::Entry> longer;
  for (const auto& [word, id] : found) {
    if (word.size() <= WordTable::kLongest) {
      whole_.set(word, id);
    } else {
      longer.emplace_back(word, id);
    }
  }
  long_whole_ = ByteTrie(longer);
}

// `token`: the id of the word as it stands in the vocabulary, or kNone.
void BpeModel::try_whole_word(const std::string& word, int32_t token, WholeWords* found) const {
  if (word.empty() || found->contains(word)) return;
  if (options_.ignore_merges && token != kNone) {
    found->emplace(word, token);
    return;
  }
  std::vector<Symbol>& symbols = symbol_scratch();
  const uint32_t length = to_symbols(word, &symbols);
  merge_symbols(merges_, &symbols);
  if (symbols.size() == 1 && length == word.size()) found->emplace(word, symbols.front().id);
}

int32_t BpeModel::find_whole(std::string_view text, Span word) const {
  const size_t length = word.end - word.begin;
  if (length <= WordTable::kLongest) return whole_.find(text, word);
  return long_whole_.find(text.substr(word.begin, length));
}

void BpeModel::tokenize_word(std::string_view text, Span word, TokenBuffer* tokens) const {
  if (const int32_t id = find_whole(text, word); id != kNone) return tokens->add(id, word.begin, word.end);
  for (Span part = word; part.begin < word.end; part.begin = part.end) {
    part.end = part_end(text, {part.begin, word.end});
    if (part == word) return merge_part(text, word, tokens);
    tokenize_part(text, part, tokens);
  }
}

void BpeModel::tokenize_part(std::string_view text, Span part, TokenBuffer* tokens) const {
  if (const int32_t id = find_whole(text, part); id != kNone) return tokens->add(id, part.begin, part.end);
  merge_part(text, part, tokens);
}

uint32_t BpeModel::part_end(std::string_view text, Span word) const {
  if (pairs_) return first_gap(text, word);
  return parts_at_mark_ ? first_mark(text, word) : word.end;
}

// Where the first mark stands that follows another character.
uint32_t BpeModel::first_mark(std::string_view text, Span word) const {
  const std::string_view view = text.substr(0, word.end);
  size_t at = word.begin;
  while (view.substr(at).starts_with(kMark)) at += kMark.size();
  return static_cast<uint32_t>(std::min(view.find(kMark, at), view.size()));
}

// Where the first two characters meet that no token has side by side.
uint32_t BpeModel::first_gap(std::string_view text, Span word) const {
  uint32_t at = word.begin + utf8_length(text[word.begin]);
  while (at < word.end && pairs_->may_join(text, at)) at += utf8_length(text[at]);
  return at;
}

void BpeModel::merge_part(std::string_view text, Span part, TokenBuffer* tokens) const {
  std::vector<Symbol>& symbols = symbol_scratch();
  const uint32_t length = to_symbols(text_of(text, part), &symbols);
  merge_symbols(merges_, &symbols);
  add_symbols(text, part, symbols, length, tokens);
}

// One of several words that are joined in turn.
struct BpeModel::Started {
  enum Kind : uint8_t { kWhole, kMerging, kLater } kind;
  int32_t id;       // kWhole
  uint32_t length;  // kMerging: as to_symbols() returns it
  ShortMerger merger;
};

void BpeModel::tokenize_each(std::string_view text, std::span<const Piece> words, TokenBuffer* tokens,
                             std::vector<size_t>* ends) const {
  constexpr size_t kTogether = 16;
  thread_local std::array<Started, kTogether> started;
  for (const Piece& word : words) whole_.fetch(text, word.span);
  for (; !words.empty(); words = words.subspan(std::min(kTogether, words.size()))) {
    const std::span<const Piece> some = words.first(std::min(kTogether, words.size()));
    uint32_t merging = 0;
    for (size_t i = 0; i < some.size(); ++i) {
      start(text, some[i].span, &started[i]);
      merging |= static_cast<uint32_t>(started[i].kind == Started::kMerging) << i;
    }
    while (merging != 0) {
      for (uint32_t rest = merging; rest != 0; rest &= rest - 1) {
        const int i = std::countr_zero(rest);
        if (!started[static_cast<size_t>(i)].merger.step(merges_)) merging ^= uint32_t{1} << i;
      }
    }
    for (size_t i = 0; i < some.size(); ++i) {
      finish(text, some[i].span, &started[i], tokens);
      ends->push_back(tokens->size());
    }
  }
}

void BpeModel::start(std::string_view text, Span word, Started* started) const {
  started->kind = Started::kWhole;
  started->id = find_whole(text, word);
  if (started->id != kNone) return;
  started->kind = Started::kLater;
  if (part_end(text, word) != word.end) return;
  std::vector<Symbol>& symbols = symbol_scratch();
  started->length = to_symbols(text_of(text, word), &symbols);
  if (symbols.empty() || symbols.size() > ShortMerger::kMost) return;
  started->kind = Started::kMerging;
  started->merger.start(merges_, symbols);
}

void BpeModel::finish(std::string_view text, Span word, Started* started, TokenBuffer* tokens) const {
  if (started->kind == Started::kWhole) return tokens->add(started->id, word.begin, word.end);
  if (started->kind == Started::kLater) return tokenize_word(text, word, tokens);
  add_symbols(text, word, started->merger.finish(), started->length, tokens);
}

// Returns the bytes that all symbols have: those of the word, but for unknown characters that are left out.
uint32_t BpeModel::to_symbols(std::string_view word, std::vector<Symbol>* symbols) const {
  symbols->clear();
  if (!reads_bytes_) return to_text_symbols(word, symbols);
  for (const char byte : word) {
    symbols->push_back({byte_ids_[static_cast<unsigned char>(byte)], static_cast<uint32_t>(symbols->size())});
  }
  return static_cast<uint32_t>(word.size());
}

// As `tokenizers` does it: an unknown token comes only once its end is seen, behind tokens of bytes that follow it.
uint32_t BpeModel::to_text_symbols(std::string_view word, std::vector<Symbol>* symbols) const {
  uint32_t placed = 0, unknown = 0;
  const auto put = [&](int32_t id, uint32_t length) {
    symbols->push_back({id, placed});
    placed += length;
  };
  const auto put_unknown = [&] {
    if (unknown > 0) put(unk_id_, unknown);
    unknown = 0;
  };
  for (size_t at = 0; at < word.size();) {
    const uint32_t length = utf8_length(word[at]);
    if (const int32_t id = char_id(word, at, length); id != kNone) {
      put_unknown();
      put(id, length);
    } else if (!options_.byte_fallback || !add_bytes(word, at, length, symbols, &placed)) {
      if (!options_.fuse_unk) put_unknown();
      if (unk_id_ != kNone) unknown += length;
    }
    at += length;
  }
  put_unknown();
  return placed;
}

int32_t BpeModel::char_id(std::string_view word, size_t at, size_t length) const {
  const ByteTrie& trie = vocabulary_.trie();
  uint32_t node = at == 0 ? ByteTrie::root() : continuing_;
  if (at > 0 && !has_continuing_) return kNone;
  if (!trie.walk(word.substr(at, length), &node)) return kNone;
  const bool last = at + length == word.size();
  if (last && !trie.walk(options_.end_of_word_suffix, &node)) return kNone;
  return trie.value(node);
}

// The tokens of the bytes of a character, of the prefix before it and the suffix behind it, if there are all.
bool BpeModel::add_bytes(std::string_view word, size_t at, size_t length, std::vector<Symbol>* symbols,
                         uint32_t* placed) const {
  const auto id_of = [this](char byte) { return byte_ids_[static_cast<unsigned char>(byte)]; };
  const auto known = [&](std::string_view bytes) {
    return std::all_of(bytes.begin(), bytes.end(), [&](char byte) { return id_of(byte) != kNone; });
  };
  const std::string_view before = at == 0 ? std::string_view() : options_.continuing_subword_prefix;
  const std::string_view behind =
      at + length == word.size() ? std::string_view(options_.end_of_word_suffix) : std::string_view();
  const std::string_view character = word.substr(at, length);
  if (!known(before) || !known(character) || !known(behind)) return false;
  for (const std::string_view bytes : {before, character, behind}) {
    for (const char byte : bytes) symbols->push_back({id_of(byte), (*placed)++});
  }
  return true;
}

}  // namespace bouquet::tokenizer
