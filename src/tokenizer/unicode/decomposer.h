// Canonical decomposition (NFD) of a stream of characters, with origins as `tokenizers` assigns them.
#pragma once

#include <cstdint>
#include <vector>

#include "tokenizer/unicode/hangul.h"
#include "tokenizer/unicode/mark_order.h"
#include "tokenizer/unicode/unicode.h"

namespace bouquet::tokenizer {

// Feed characters with their origins; `emit(code, origin)` gets them decomposed and in canonical order. flush() ends.
//
// The parts of a character share its origin, but where marks change places, origins do not move along: the k-th
// character that begins a decomposition takes the origin of the k-th character read, the others that of the one before.
class Decomposer {
 public:
  template <typename Emit>
  void add(char32_t code, uint32_t origin, const Emit& emit) {
    const uint16_t flags = table_.flags(code);
    if ((flags & (kDecomposesFlag | kReordersFlag)) == 0) {
      flush(emit);
      emit(code, origin);
    } else if (hangul::is_syllable(code)) {
      flush(emit);
      hangul::decompose(code, [&](char32_t part) { emit(part, origin); });
    } else if ((flags & kDecomposesFlag) == 0) {
      push(code, true, origin, emit);
    } else {
      bool first = true;
      for (const uint32_t part : table_.decomposition(code)) {
        push(part, first, origin, emit);
        first = false;
      }
    }
  }

  template <typename Emit>
  void flush(const Emit& emit) {
    if (run_.empty()) return;
    order_marks(std::span(run_), &spare_);
    size_t begun = 0;
    for (const Part& part : run_) {
      if (part.first) ++begun;
      emit(part.code, begun == 0 ? before_ : origins_[begun - 1]);
    }
    run_.clear();
    origins_.clear();
  }

  void reset() {
    run_.clear();
    origins_.clear();
    before_ = 0;
  }

 private:
  struct Part {
    char32_t code;
    uint8_t combining_class;
    bool first;  // the first part of a character's decomposition
  };

  template <typename Emit>
  void push(char32_t code, bool first, uint32_t origin, const Emit& emit) {
    const uint8_t combining_class = table_.combining_class(code);
    if (combining_class == 0) {
      flush(emit);
      emit(code, origin);
      before_ = origin;
      return;
    }
    run_.push_back({code, combining_class, first});
    if (first) origins_.push_back(origin);
  }

  const UnicodeTable& table_ = UnicodeTable::get();
  std::vector<Part> run_;  // characters of class other than 0 since the last one of class 0
  std::vector<Part> spare_;
  std::vector<uint32_t> origins_;  // of the run's characters that begin a decomposition
  uint32_t before_ = 0;            // origin of the decomposed character of class 0 before the run
};

}  // namespace bouquet::tokenizer
