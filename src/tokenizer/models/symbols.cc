// Short words by scanning for the least rank, long ones by a heap over a linked list.
#include "tokenizer/models/symbols.h"

#include <algorithm>
#include <bit>
#include <functional>

namespace bouquet::tokenizer {
namespace {

constexpr uint32_t kNone = 0xFFFFFFFF;

struct Neighbours {
  uint32_t previous, next;  // kNone at the ends
};

// Of a pair that could be joined when it was found: its rank << 32 | the place of its left symbol, so that the least of
// all is the leftmost of the least rank. No two pairs have one rank: what stands there now tells whether it still is
// the same.
using Candidate = uint64_t;

class HeapMerger {
 public:
  void run(const PairTable& table, std::vector<Symbol>* symbols) {
    table_ = &table;
    symbols_ = symbols->data();
    const auto count = static_cast<uint32_t>(symbols->size());
    links_.resize(count);
    heap_.clear();
    for (uint32_t i = 0; i < count; ++i) links_[i] = {i == 0 ? kNone : i - 1, i + 1 == count ? kNone : i + 1};
    for (uint32_t i = 0; i + 1 < count; ++i) {
      if (const PairMerge merge = find(i); merge.rank != PairMerge::kNever) heap_.push_back(candidate(merge, i));
    }
    std::make_heap(heap_.begin(), heap_.end(), std::greater<>());
    while (!heap_.empty()) join(pop());
    uint32_t kept = 0;
    for (uint32_t at = 0; at != kNone; at = links_[at].next) symbols_[kept++] = symbols_[at];
    symbols->resize(kept);
  }

 private:
  static Candidate candidate(const PairMerge& merge, uint32_t at) { return Candidate{merge.rank} << 32 | at; }

  // Of the symbol at `at` and the next.
  PairMerge find(uint32_t at) const {
    const uint32_t next = links_[at].next;
    return next == kNone ? PairMerge{} : table_->find(symbols_[at].id, symbols_[next].id);
  }

  void offer(uint32_t at) {
    const PairMerge merge = find(at);
    if (merge.rank == PairMerge::kNever) return;
    heap_.push_back(candidate(merge, at));
    std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
  }

  Candidate pop() {
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
    const Candidate top = heap_.back();
    heap_.pop_back();
    return top;
  }

  // The id of a symbol that was joined to the one before it is kGone, which no pair has.
  void join(Candidate least) {
    const auto at = static_cast<uint32_t>(least);
    const PairMerge merge = find(at);
    if (merge.rank != least >> 32) return;
    const uint32_t next = links_[at].next, after = links_[next].next;
    symbols_[at].id = merge.id;
    symbols_[next].id = kGone;
    links_[at].next = after;
    if (after != kNone) links_[after].previous = at;
    offer(at);
    if (links_[at].previous != kNone) offer(links_[at].previous);
  }

  static constexpr int32_t kGone = -1;

  const PairTable* table_ = nullptr;
  Symbol* symbols_ = nullptr;
  std::vector<Neighbours> links_;
  std::vector<Candidate> heap_;
};

}  // namespace

void ShortMerger::start(const PairTable& merges, std::span<const Symbol> symbols) {
  count_ = symbols.size();
  std::copy(symbols.begin(), symbols.end(), symbols_.begin());
  standing_ = count_ == kMost ? ~uint64_t{0} : (uint64_t{1} << count_) - 1;
  open_ = standing_ >> 1;
  std::fill_n(candidates_.begin(), (count_ + kLanes - 1) / kLanes * kLanes, kNone);
  for (size_t i = 0; i + 1 < count_; ++i) merges.fetch(symbols_[i].id, symbols_[i + 1].id);
}

bool ShortMerger::step(const PairTable& merges) {
  for (; open_ != 0; open_ &= open_ - 1) {
    const auto at = static_cast<size_t>(std::countr_zero(open_));
    const uint64_t behind = standing_ >> 1 >> at;
    offer(merges, at, at + 1 + static_cast<size_t>(std::countr_zero(behind)));
  }
  const uint64_t best = least();
  if (best == kNone) return false;
  join(merges, best % kMost);
  return true;
}

void ShortMerger::offer(const PairTable& merges, size_t at, size_t next) {
  const PairMerge merge = merges.find(symbols_[at].id, symbols_[next].id);
  candidates_[at] = merge.rank == PairMerge::kNever ? kNone : uint64_t{merge.rank} << 6 | at;
  joined_[at] = merge.id;
}

uint64_t ShortMerger::least() const {
  uint64_t lanes[kLanes] = {kNone, kNone, kNone, kNone};
  for (size_t i = 0; i < count_; i += kLanes) {
    for (size_t lane = 0; lane < kLanes; ++lane) lanes[lane] = std::min(lanes[lane], candidates_[i + lane]);
  }
  return std::min(std::min(lanes[0], lanes[1]), std::min(lanes[2], lanes[3]));
}

void ShortMerger::join(const PairTable& merges, size_t at) {
  symbols_[at].id = joined_[at];
  candidates_[at] = kNone;
  const uint64_t behind = standing_ & ~uint64_t{1} << at;
  candidates_[static_cast<size_t>(std::countr_zero(behind))] = kNone;
  const uint64_t after = behind & (behind - 1), before = standing_ & ((uint64_t{1} << at) - 1);
  standing_ ^= behind ^ after;
  if (after != 0) {
    merges.fetch(symbols_[at].id, symbols_[static_cast<size_t>(std::countr_zero(after))].id);
    open_ |= uint64_t{1} << at;
  }
  if (before == 0) return;
  const auto previous = static_cast<size_t>(63 - std::countl_zero(before));
  merges.fetch(symbols_[previous].id, symbols_[at].id);
  open_ |= uint64_t{1} << previous;
}

std::span<const Symbol> ShortMerger::finish() {
  size_t kept = 0;
  for (uint64_t rest = standing_; rest != 0; rest &= rest - 1) {
    symbols_[kept++] = symbols_[static_cast<size_t>(std::countr_zero(rest))];
  }
  return std::span(symbols_).first(kept);
}

void merge_symbols(const PairTable& merges, std::vector<Symbol>* symbols) {
  if (symbols->size() < 2) return;
  if (symbols->size() > ShortMerger::kMost) {
    thread_local HeapMerger merger;
    merger.run(merges, symbols);
    return;
  }
  thread_local ShortMerger merger;
  merger.start(merges, *symbols);
  while (merger.step(merges)) {
  }
  const std::span<const Symbol> left = merger.finish();
  symbols->assign(left.begin(), left.end());
}

}  // namespace bouquet::tokenizer
