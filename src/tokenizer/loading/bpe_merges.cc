// Sorted twice: within a piece by the ids of its halves, then all by score and the lengths of the halves.
#include "tokenizer/loading/bpe_merges.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "tokenizer/unicode/utf8_chars.h"

namespace bouquet::tokenizer {
namespace {

struct Merge {
  std::string_view left, right;
  double score;
  uint32_t left_chars, right_chars;
  size_t left_id, right_id;
};

using Ids = std::unordered_map<std::string_view, size_t>;

void add_merges(std::string_view piece, double score, const Ids& ids, std::vector<Merge>* merges) {
  const auto first = static_cast<std::ptrdiff_t>(merges->size());
  uint32_t chars = 0, left_chars = 0;
  for (size_t at = 0; at < piece.size(); at += utf8_length(piece[at])) ++chars;
  for (size_t at = 0; at < piece.size();) {
    at += utf8_length(piece[at]);
    ++left_chars;
    const auto left = ids.find(piece.substr(0, at)), right = ids.find(piece.substr(at));
    if (at == piece.size() || left == ids.end() || right == ids.end()) continue;
    merges->push_back({left->first, right->first, score, left_chars, chars - left_chars, left->second, right->second});
  }
  std::stable_sort(merges->begin() + first, merges->end(), [](const Merge& a, const Merge& b) {
    return std::tie(a.left_id, a.right_id) < std::tie(b.left_id, b.right_id);
  });
}

}  // namespace

std::vector<std::pair<std::string_view, std::string_view>> merges_of(const std::vector<ScoredPiece>& pieces) {
  Ids ids;
  for (size_t id = 0; id < pieces.size(); ++id) ids[pieces[id].text] = id;
  std::vector<Merge> merges;
  std::unordered_map<std::string_view, bool> seen;  // a piece counts where it first stands, with its last score
  for (const ScoredPiece& piece : pieces) {
    if (std::exchange(seen[piece.text], true)) continue;
    add_merges(piece.text, pieces[ids.at(piece.text)].score, ids, &merges);
  }
  std::stable_sort(merges.begin(), merges.end(), [](const Merge& a, const Merge& b) {
    return std::tie(a.score, a.left_chars, a.right_chars) > std::tie(b.score, b.left_chars, b.right_chars);
  });
  std::vector<std::pair<std::string_view, std::string_view>> result;
  for (const Merge& merge : merges) result.emplace_back(merge.left, merge.right);
  return result;
}

}  // namespace bouquet::tokenizer
