// The parts of one word while byte-pair encoding joins them.
//
// Always joined next is the pair of the lowest rank, of equal ones the leftmost.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "tokenizer/models/pair_table.h"

namespace bouquet::tokenizer {

// A token, or what is to become part of one; begins `begin` bytes into the word and ends where the next begins.
struct Symbol {
  int32_t id;
  uint32_t begin;
};

// Joins neighbours until no pair is in the table. Takes O(n log n) for n symbols, and allocates only when a word is
// longer than all before in this thread.
void merge_symbols(const PairTable& merges, std::vector<Symbol>* symbols);

// The same for a word of up to kMost symbols, a join at a time. Each step asks for the memory that the next one reads,
// so that several words joined in turn need not wait for it one after the other:
//
//   for (bool any = true; any;) {
//     any = false;
//     for (ShortMerger& word : words) any |= word.step(merges);
//   }
class ShortMerger {
 public:
  static constexpr size_t kMost = 64;

  // Takes over `symbols`, one or more.
  void start(const PairTable& merges, std::span<const Symbol> symbols);

  // False once no pair is in the table.
  bool step(const PairTable& merges);

  // The symbols that are left; ends the work on this word.
  std::span<const Symbol> finish();

 private:
  // What can be done with the symbol at a place and the next that stands: rank << 6 | place, so that the least of all
  // is the leftmost of the least rank.
  static constexpr uint64_t kNone = ~uint64_t{0};
  static constexpr size_t kLanes = 4;

  void offer(const PairTable& merges, size_t at, size_t next);
  uint64_t least() const;
  void join(const PairTable& merges, size_t at);

  size_t count_ = 0;
  uint64_t standing_ = 0;  // symbols not joined to one before them
  uint64_t open_ = 0;      // places whose candidates have yet to be looked up
  std::array<Symbol, kMost> symbols_;
  std::array<uint64_t, kMost> candidates_;
  std::array<int32_t, kMost> joined_;  // ids that candidates become
};

}  // namespace bouquet::tokenizer
