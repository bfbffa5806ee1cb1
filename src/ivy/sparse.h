// Sparse vectors from what a model gives: one weight for each token of a text, or one for each vocabulary entry.
#pragma once

#include "ivy/job.h"
#include "ivy/prepare.h"
#include "tokenizer/tokenizer.h"

namespace bouquet::ivy {

// Turns the result's values into its sparse vectors. Where each token has a weight (BGE-M3), an entry's is the largest
// of its tokens', and special tokens have none; only weights above 0 stay.
void make_sparse(const Prepared& prepared, const tokenizer::Tokenizer& tokenizer, JobResult* result);

}  // namespace bouquet::ivy
