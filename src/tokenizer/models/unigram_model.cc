// Viterbi over bytes: pieces that begin at each reached character are one walk down the trie.
#include "tokenizer/models/unigram_model.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/status.h"
#include "fmt/format.h"
#include "tokenizer/unicode/utf8_chars.h"

namespace bouquet::tokenizer {
namespace {

constexpr double kUnknownPenalty = 10;

// The score as `tokenizers` reads it from the shortest digits that stand for `value`: all digits as one integer,
// divided by a power of ten. Two roundings, so up to a third of a vocabulary's scores come out a bit off; sums that tie
// depend on it. (serde_json without its feature float_roundtrip.)
double read_score(double value) {
  char text[40];
  const char* const end = std::to_chars(text, text + sizeof(text), value, std::chars_format::scientific).ptr;
  uint64_t digits = 0;
  int decimals = 0;
  const char* at = text + (text[0] == '-');
  for (bool behind_point = false; at < end && *at != 'e'; ++at) {
    if (*at == '.') {
      behind_point = true;
    } else {
      digits = digits * 10 + static_cast<uint64_t>(*at - '0');  // 17 at most
      decimals += behind_point;
    }
  }
  int exponent = 0;
  std::from_chars(at + (at[1] == '+' ? 2 : 1), end, exponent);
  exponent -= decimals;
  const double magnitude = exponent < 0 ? static_cast<double>(digits) / std::pow(10.0, -exponent)
                                        : static_cast<double>(digits) * std::pow(10.0, exponent);
  return std::signbit(value) ? -magnitude : magnitude;
}

}  // namespace

// Kept from word to word.
struct UnigramModel::Scratch {
  std::vector<Best> best;
  std::vector<Best> path;  // last piece first
  std::array<Lane, kLanes> lanes;
  std::vector<Match> matches;  // `stride` of each lane, shortest first
  size_t stride = 0;
};

absl::StatusOr<std::unique_ptr<const Model>> UnigramModel::make(const JsonObject& json) {
  ASSIGN_OR_RETURN(const simdjson::dom::array entries, json.array("vocab"));
  std::vector<std::string_view> pieces;
  HugeVector<double> scores;
  size_t longest = 1;
  for (const JsonElement entry : entries) {
    std::string_view piece;
    double score = 0;
    if (entry.at(0).get(piece) != simdjson::SUCCESS || entry.at(1).get(score) != simdjson::SUCCESS) {
      return json_error(fmt::format("{}[{}]", json.place_of("vocab"), pieces.size()), "is not [piece, score]");
    }
    pieces.push_back(piece);
    longest = std::max(longest, piece.size());
    scores.push_back(read_score(score));
  }
  if (pieces.empty()) return json_error(json.place_of("vocab"), "is empty");
  ASSIGN_OR_RETURN(const int32_t unk_id, json.number("unk_id"));
  if (unk_id >= static_cast<int32_t>(pieces.size())) {
    return json_error(json.place_of("unk_id"), "is not in the vocabulary");
  }
  ASSIGN_OR_RETURN(const bool byte_fallback, json.flag_or("byte_fallback", false));
  return std::unique_ptr<const Model>(
      new UnigramModel(Vocabulary::from_list(pieces), std::move(scores), longest, unk_id, byte_fallback));
}

UnigramModel::UnigramModel(Vocabulary vocabulary, HugeVector<double> scores, size_t longest, int32_t unk_id,
                           bool byte_fallback)
    : vocabulary_(std::move(vocabulary)),
      scores_(std::move(scores)),
      longest_(static_cast<uint32_t>(longest)),
      unk_id_(unk_id),
      unk_score_(*std::min_element(scores_.begin(), scores_.end()) - kUnknownPenalty),
      byte_fallback_(byte_fallback),
      byte_ids_(vocabulary_.byte_fallback_ids()) {}

// A lane for each of the next characters from `begin` on; returns how many.
size_t UnigramModel::open_lanes(std::string_view word, size_t begin, Scratch* scratch) const {
  size_t lanes = 0;
  for (; lanes < kLanes && begin < word.size(); ++lanes) {
    const size_t length = utf8_length(word[begin]);
    scratch->lanes[lanes] = {static_cast<uint32_t>(begin), static_cast<uint32_t>(length), ByteTrie::root(), 0};
    begin += length;
  }
  return lanes;
}

// Finds the matches of all lanes, a byte of each at a time: the trie is read at random places, and so many loads are
// under way at once.
void UnigramModel::walk(std::string_view word, size_t lanes, Scratch* scratch) const {
  const ByteTrie& trie = vocabulary_.trie();
  std::array<uint8_t, kLanes> active;
  for (size_t i = 0; i < lanes; ++i) active[i] = static_cast<uint8_t>(i);
  for (uint32_t depth = 0; lanes > 0; ++depth) {
    size_t still = 0;
    for (size_t i = 0; i < lanes; ++i) {
      Lane& lane = scratch->lanes[active[i]];
      if (lane.begin + depth == word.size() || !trie.step(&lane.node, word[lane.begin + depth])) continue;
      if (const int32_t id = trie.value(lane.node); id != ByteTrie::kNone) {
        scratch->matches[active[i] * scratch->stride + lane.count++] = {depth + 1, id};
        __builtin_prefetch(&scores_[static_cast<size_t>(id)]);
      }
      active[still++] = active[i];
    }
    lanes = still;
  }
}

void UnigramModel::find_best(std::string_view word, Scratch* scratch) const {
  scratch->best.assign(word.size() + 1, Best{0, 0, kUnreached});
  scratch->stride = std::min<size_t>(longest_, word.size());
  scratch->matches.resize(kLanes * scratch->stride);
  Best* const best = scratch->best.data();
  const auto offer = [&](size_t end, double score, uint32_t begin, int32_t id) {
    Best& now = best[end];
    if (now.id == kUnreached || score > now.score) now = {score, begin, id};
  };
  size_t begin = 0;
  while (begin < word.size()) {
    const size_t lanes = open_lanes(word, begin, scratch);
    walk(word, lanes, scratch);
    for (size_t i = 0; i < lanes; ++i) {
      const Lane& lane = scratch->lanes[i];
      const double before = best[lane.begin].score;  // characters are reached one by one, if only as unknown ones
      bool covered = false;                          // by a piece of just this character
      const Match* const matches = &scratch->matches[i * scratch->stride];
      for (uint32_t k = 0; k < lane.count; ++k) {
        const auto [length, id] = matches[k];
        offer(lane.begin + length, before + scores_[static_cast<size_t>(id)], lane.begin, id);
        covered |= length == lane.length;
      }
      if (!covered) offer(lane.begin + lane.length, before + unk_score_, lane.begin, unk_id_);
      begin = lane.begin + lane.length;
    }
  }
}

void UnigramModel::tokenize_word(std::string_view text, Span span, TokenBuffer* tokens) const {
  thread_local Scratch scratch;
  const std::string_view word = text_of(text, span);
  find_best(word, &scratch);
  std::vector<Best>& path = scratch.path;
  path.clear();
  for (size_t end = word.size(); end > 0; end = path.back().begin) path.push_back(scratch.best[end]);
  for (size_t i = path.size(); i > 0;) {
    const uint32_t begin = path[--i].begin;
    const bool known = path[i].id != unk_id_;
    while (!known && i > 0 && path[i - 1].id == unk_id_) --i;
    const auto end = i > 0 ? path[i - 1].begin : static_cast<uint32_t>(word.size());
    if (known) {
      tokens->add(path[i].id, span.begin + begin, span.begin + end);
    } else {
      add_unknown(word, {begin, end}, span.begin, tokens);
    }
  }
}

// Looked up once more as a whole: characters unknown side by side may happen to be a piece.
void UnigramModel::add_unknown(std::string_view word, Span part, uint32_t offset, TokenBuffer* tokens) const {
  const std::string_view bytes = word.substr(part.begin, part.end - part.begin);
  const uint32_t begin = offset + part.begin, end = offset + part.end;
  const auto id_of = [this](char byte) { return byte_ids_[static_cast<unsigned char>(byte)]; };
  if (const int32_t id = vocabulary_.trie().find(bytes); id != ByteTrie::kNone) {
    tokens->add(id, begin, end);
  } else if (byte_fallback_ && std::all_of(bytes.begin(), bytes.end(), [&](char b) { return id_of(b) >= 0; })) {
    for (const char byte : bytes) tokens->add(id_of(byte), begin, end);
  } else {
    tokens->add(unk_id_, begin, end);
  }
}

}  // namespace bouquet::tokenizer
