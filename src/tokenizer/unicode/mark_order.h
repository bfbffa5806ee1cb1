// Canonical ordering: a run of marks by combining class, equal ones as they stood.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace bouquet::tokenizer {

// `spare` is a buffer kept from run to run. Linear, and allocates only for a run longer than any before.
template <typename Mark>
void count_into_order(std::span<Mark> run, std::vector<Mark>* spare) {
  std::array<uint32_t, 257> begins{};
  for (const Mark& mark : run) ++begins[mark.combining_class + 1];
  for (size_t i = 1; i < begins.size(); ++i) begins[i] += begins[i - 1];
  spare->assign(run.begin(), run.end());
  for (const Mark& mark : *spare) run[begins[mark.combining_class]++] = mark;
}

template <typename Mark>
void insert_into_order(std::span<Mark> run) {
  for (size_t i = 1; i < run.size(); ++i) {
    const Mark mark = run[i];
    size_t at = i;
    for (; at > 0 && mark.combining_class < run[at - 1].combining_class; --at) run[at] = run[at - 1];
    run[at] = mark;
  }
}

template <typename Mark>
void order_marks(std::span<Mark> run, std::vector<Mark>* spare) {
  constexpr size_t kShort = 32;  // marks; up to here inserting costs less than counting
  const auto by_class = [](const Mark& a, const Mark& b) { return a.combining_class < b.combining_class; };
  if (std::is_sorted(run.begin(), run.end(), by_class)) return;
  run.size() > kShort ? count_into_order(run, spare) : insert_into_order(run);
}

}  // namespace bouquet::tokenizer
