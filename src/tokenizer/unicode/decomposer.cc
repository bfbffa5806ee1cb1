// Canonical ordering: a stable sort of a run of marks by combining class.
#include "tokenizer/unicode/decomposer.h"

#include <algorithm>

namespace bouquet::tokenizer {

void Decomposer::sort_run() {
  const auto by_class = [](const Part& a, const Part& b) { return a.combining_class < b.combining_class; };
  if (std::is_sorted(run_.begin(), run_.end(), by_class)) return;
  // Insertion sort: stable without allocating; but only for short runs, as its time is the square of the length.
  if (run_.size() > 32) {
    std::stable_sort(run_.begin(), run_.end(), by_class);
    return;
  }
  for (size_t i = 1; i < run_.size(); ++i) {
    const Part part = run_[i];
    size_t at = i;
    for (; at > 0 && by_class(part, run_[at - 1]); --at) run_[at] = run_[at - 1];
    run_[at] = part;
  }
}

}  // namespace bouquet::tokenizer
