// How good a ranking is, as trec_eval computes it.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

namespace bouquet::cli {

using Relevance = std::map<std::string, int32_t>;  // of a query's judged documents; others have 0

// Discounted cumulative gain of the first `depth` over that of the best order (Järvelin & Kekäläinen 2002): a document
// at rank r from 1 counts its relevance / log2(r + 1). 0 where nothing is relevant.
double ndcg(std::span<const std::string> ranking, const Relevance& relevance, size_t depth);
// The share of the relevant ones that is among the first `depth`.
double recall(std::span<const std::string> ranking, const Relevance& relevance, size_t depth);
// 1 / rank of the first relevant one among the first `depth`, or 0.
double reciprocal_rank(std::span<const std::string> ranking, const Relevance& relevance, size_t depth);

}  // namespace bouquet::cli
