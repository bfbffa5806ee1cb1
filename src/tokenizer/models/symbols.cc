// Short words by scanning for the least rank, long ones by a heap over a linked list.
#include "tokenizer/models/symbols.h"

#include <algorithm>
#include <array>
#include <functional>

namespace bouquet::tokenizer {
namespace {

constexpr size_t kShort = 48;  // symbols; up to here a scan costs less than a heap

// merges[i] joins symbols i and i + 1; the last is never.
void merge_short(const PairTable& table, std::vector<Symbol>* symbols) {
  std::array<PairMerge, kShort> merges;
  Symbol* const parts = symbols->data();
  size_t count = symbols->size();
  for (size_t i = 0; i + 1 < count; ++i) merges[i] = table.find(parts[i].id, parts[i + 1].id);
  for (merges[count - 1] = {}; count > 1;) {
    size_t best = 0;
    for (size_t i = 1; i + 1 < count; ++i) best = merges[i].rank < merges[best].rank ? i : best;
    if (merges[best].rank == PairMerge::kNever) break;
    parts[best].id = merges[best].id;
    std::copy(parts + best + 2, parts + count, parts + best + 1);
    std::copy(merges.begin() + best + 1, merges.begin() + count, merges.begin() + best);
    --count;
    if (best + 1 < count) merges[best] = table.find(parts[best].id, parts[best + 1].id);
    if (best > 0) merges[best - 1] = table.find(parts[best - 1].id, parts[best].id);
  }
  symbols->resize(count);
}

constexpr uint32_t kNone = 0xFFFFFFFF;

struct Neighbours {
  uint32_t previous, next;  // kNone at the ends
};

// A pair that could be joined when it was found: its right symbol's id tells whether it still is the same.
struct Candidate {
  uint32_t rank;
  uint32_t at;  // of the left symbol
  int32_t left, right, id;
  bool operator>(const Candidate& other) const { return rank != other.rank ? rank > other.rank : at > other.at; }
};

class HeapMerger {
 public:
  void run(const PairTable& table, std::vector<Symbol>* symbols) {
    table_ = &table;
    symbols_ = symbols->data();
    const auto count = static_cast<uint32_t>(symbols->size());
    links_.resize(count);
    heap_.clear();
    for (uint32_t i = 0; i < count; ++i) links_[i] = {i == 0 ? kNone : i - 1, i + 1 == count ? kNone : i + 1};
    for (uint32_t i = 0; i + 1 < count; ++i) offer(i);
    std::make_heap(heap_.begin(), heap_.end(), std::greater<>());
    while (!heap_.empty()) join(pop());
    uint32_t kept = 0;
    for (uint32_t at = 0; at != kNone; at = links_[at].next) symbols_[kept++] = symbols_[at];
    symbols->resize(kept);
  }

 private:
  bool offer(uint32_t at) {
    const int32_t left = symbols_[at].id, right = symbols_[links_[at].next].id;
    const PairMerge merge = table_->find(left, right);
    if (merge.rank == PairMerge::kNever) return false;
    heap_.push_back({merge.rank, at, left, right, merge.id});
    return true;
  }

  void push(uint32_t at) {
    if (offer(at)) std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
  }

  Candidate pop() {
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
    const Candidate top = heap_.back();
    heap_.pop_back();
    return top;
  }

  // The id of a symbol that was joined to the one before it is kGone.
  void join(const Candidate& pair) {
    const uint32_t next = links_[pair.at].next;
    if (symbols_[pair.at].id != pair.left || next == kNone || symbols_[next].id != pair.right) return;
    symbols_[pair.at].id = pair.id;
    symbols_[next].id = kGone;
    const uint32_t after = links_[next].next;
    links_[pair.at].next = after;
    if (after != kNone) {
      links_[after].previous = pair.at;
      push(pair.at);
    }
    if (links_[pair.at].previous != kNone) push(links_[pair.at].previous);
  }

  static constexpr int32_t kGone = -1;

  const PairTable* table_ = nullptr;
  Symbol* symbols_ = nullptr;
  std::vector<Neighbours> links_;
  std::vector<Candidate> heap_;
};

}  // namespace

void merge_symbols(const PairTable& merges, std::vector<Symbol>* symbols) {
  if (symbols->size() < 2) return;
  if (symbols->size() <= kShort) return merge_short(merges, symbols);
  thread_local HeapMerger merger;
  merger.run(merges, symbols);
}

}  // namespace bouquet::tokenizer
