// The merges of a BPE vocabulary that comes as scored pieces.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace bouquet::tokenizer {

struct ScoredPiece {
  std::string_view text;
  double score;
};

// Every way to put a piece together from two others, the best score first; of equal ones in the order of transformers'
// generate_merges. A piece's id is its place; of a text given twice the last id and score count.
std::vector<std::pair<std::string_view, std::string_view>> merges_of(const std::vector<ScoredPiece>& pieces);

}  // namespace bouquet::tokenizer
