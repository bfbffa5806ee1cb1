// The parts of one word while byte-pair encoding joins them.
//
// Always joined next is the pair of the lowest rank, of equal ones the leftmost.
#pragma once

#include <cstdint>
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

}  // namespace bouquet::tokenizer
