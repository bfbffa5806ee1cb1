// The best documents of each query, kept while the documents go by: no vector of a document outlives its scoring.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace bouquet::cli {

struct Scored {
  float score;
  int64_t document;  // index, in the order they came
};

class Ranking {
 public:
  // `queries` [count][dimensions]; `depth`: how many documents of each are kept.
  Ranking(std::vector<float> queries, size_t dimensions, size_t depth);

  // The next document, scored by its dot product with every query.
  void add(std::span<const float> document);

  size_t queries() const { return best_.size(); }
  // Best first; of equal scores the one that came first.
  std::vector<Scored> best(size_t query);

 private:
  void score_block();

  const std::vector<float> queries_;
  const size_t dimensions_, depth_;
  int64_t documents_ = 0;                  // scored
  std::vector<float> block_;               // vectors that wait, so that queries are read once for several
  std::vector<std::vector<Scored>> best_;  // heaps with the worst on top
};

}  // namespace bouquet::cli
