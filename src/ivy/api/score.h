// Scores from logits, and their order: shared by the dialects that rerank.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "ivy/job.h"

namespace bouquet::ivy {

struct Ranked {
  size_t index = 0;  // in the request
  double score = 0;
};

// One a row of one logit, best first, ties by ascending index. raw: the logit; else its sigmoid.
std::vector<Ranked> rank(const JobResult& result, bool raw);

// Of two rows, each a vector of unit length.
double cosine(const JobResult& result, size_t a, size_t b);

// How replies call the two scales.
std::string_view scale_name(bool raw);

}  // namespace bouquet::ivy
