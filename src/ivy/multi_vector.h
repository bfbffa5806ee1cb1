// Vectors for late interaction, as callers get them.
#pragma once

#include "ivy/job.h"
#include "ivy/prepare.h"

namespace bouquet::ivy {

// Leaves out the rows of tokens that have no vector (punctuation, and whatever else the model's list names).
void drop_vectors(const Prepared& prepared, JobResult* result);

}  // namespace bouquet::ivy
