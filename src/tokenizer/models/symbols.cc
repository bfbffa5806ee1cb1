// Short words by scanning for the least rank, long ones by a heap over a linked list.
#include "tokenizer/models/symbols.h"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>

namespace bouquet::tokenizer {
namespace {

// Up to 64 symbols, and which of them still stand as a bit mask. Each place has what can be done there as one number,
// rank << 6 | place, so that the least of all is the leftmost of the least rank.
class ShortMerger {
 public:
  static constexpr size_t kMost = 64;

  ShortMerger(const PairTable& table, std::vector<Symbol>* symbols) : table_(table), symbols_(symbols->data()) {
    const size_t count = symbols->size();
    for (size_t i = 0; i + 1 < count; ++i) offer(i, i + 1);
    std::fill(candidates_.begin() + static_cast<std::ptrdiff_t>(count) - 1, candidates_.begin() + padded(count), kNone);
    while (join_least(count)) {
    }
    symbols->resize(close_up(count));
  }

 private:
  static constexpr uint32_t kNone = PairTable::kNever << 6;
  static constexpr size_t kLanes = 4;

  static std::ptrdiff_t padded(size_t count) {
    return static_cast<std::ptrdiff_t>((count + kLanes - 1) / kLanes * kLanes);
  }

  void offer(size_t at, size_t next) {
    candidates_[at] = table_.rank(symbols_[at].id, symbols_[next].id) << 6 | static_cast<uint32_t>(at);
  }

  uint32_t least(size_t count) const {
    uint32_t lanes[kLanes] = {kNone, kNone, kNone, kNone};
    for (size_t i = 0; i < count; i += kLanes) {
      for (size_t lane = 0; lane < kLanes; ++lane) lanes[lane] = std::min(lanes[lane], candidates_[i + lane]);
    }
    return std::min(std::min(lanes[0], lanes[1]), std::min(lanes[2], lanes[3]));
  }

  bool join_least(size_t count) {
    const uint32_t best = least(count);
    if (best >= kNone) return false;
    const size_t at = best % kMost;
    symbols_[at].id = table_.id(best >> 6);
    const uint64_t behind = standing_ & ~uint64_t{1} << at;
    candidates_[static_cast<size_t>(std::countr_zero(behind))] = kNone;
    standing_ &= ~(behind & (~behind + 1));
    const uint64_t after = behind & (behind - 1), before = standing_ & ((uint64_t{1} << at) - 1);
    candidates_[at] = kNone;
    if (const auto next = static_cast<size_t>(std::countr_zero(after)); next < count) offer(at, next);
    if (before != 0) offer(static_cast<size_t>(63 - std::countl_zero(before)), at);
    return true;
  }

  size_t close_up(size_t count) {
    size_t kept = 0;
    for (size_t i = 0; i < count; ++i) {
      symbols_[kept] = symbols_[i];
      kept += standing_ >> i & 1;
    }
    return kept;
  }

  const PairTable& table_;
  Symbol* symbols_;
  uint64_t standing_ = ~uint64_t{0};        // symbols not joined to one before them
  std::array<uint32_t, kMost> candidates_;  // of the symbol at each place and the next that stands
};

constexpr uint32_t kNone = 0xFFFFFFFF;

struct Neighbours {
  uint32_t previous, next;  // kNone at the ends
};

// A pair that could be joined when it was found: its right symbol's id tells whether it still is the same.
struct Candidate {
  uint32_t rank;
  uint32_t at;  // of the left symbol
  int32_t left, right;
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
    const uint32_t rank = table_->rank(left, right);
    if (rank == PairTable::kNever) return false;
    heap_.push_back({rank, at, left, right});
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
    symbols_[pair.at].id = table_->id(pair.rank);
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
  if (symbols->size() <= ShortMerger::kMost) {
    ShortMerger(merges, symbols);
    return;
  }
  thread_local HeapMerger merger;
  merger.run(merges, symbols);
}

}  // namespace bouquet::tokenizer
