// A bounded heap a query, filled by blocks of documents.
#include "cli/eval/ranking.h"

#include <algorithm>

namespace bouquet::cli {
namespace {

constexpr size_t kBlock = 16;  // documents

bool is_better(const Scored& a, const Scored& b) {
  return a.score != b.score ? a.score > b.score : a.document < b.document;
}

// Eight sums side by side, which compilers turn into vectors.
float dot(const float* a, const float* b, size_t n) {
  constexpr size_t kLanes = 8;
  float sums[kLanes] = {};
  size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    for (size_t lane = 0; lane < kLanes; ++lane) sums[lane] += a[i + lane] * b[i + lane];
  }
  float sum = 0;
  for (const float lane : sums) sum += lane;
  for (; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

Ranking::Ranking(std::vector<float> queries, size_t dimensions, size_t depth)
    : queries_(std::move(queries)), dimensions_(dimensions), depth_(depth), best_(queries_.size() / dimensions) {}

void Ranking::add(std::span<const float> document) {
  block_.insert(block_.end(), document.begin(), document.end());
  if (block_.size() == kBlock * dimensions_) score_block();
}

void Ranking::score_block() {
  const size_t count = block_.size() / dimensions_;
  for (size_t query = 0; query < best_.size(); ++query) {
    std::vector<Scored>& heap = best_[query];
    for (size_t i = 0; i < count; ++i) {
      const float score = dot(queries_.data() + query * dimensions_, block_.data() + i * dimensions_, dimensions_);
      const Scored scored{score, documents_ + static_cast<int64_t>(i)};
      if (heap.size() == depth_ && !is_better(scored, heap.front())) continue;
      if (heap.size() == depth_) {
        std::pop_heap(heap.begin(), heap.end(), is_better);
        heap.pop_back();
      }
      heap.push_back(scored);
      std::push_heap(heap.begin(), heap.end(), is_better);
    }
  }
  documents_ += static_cast<int64_t>(count);
  block_.clear();
}

std::vector<Scored> Ranking::best(size_t query) {
  score_block();
  std::vector<Scored> sorted = best_[query];
  std::sort(sorted.begin(), sorted.end(), is_better);
  return sorted;
}

}  // namespace bouquet::cli
