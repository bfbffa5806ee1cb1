// Sizes that a config claims, checked before anything is computed from them: products of them must fit where kernels
// count in 32 bits.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "rose/kernels/kernels.h"

namespace bouquet::rose {

struct ClaimedSizes {
  int64_t vocab_size = 0;
  int64_t layers = 0;  // 0 is allowed
  int64_t hidden = 0;
  int64_t intermediate = 0;
  HeadShape shape{};
};

// INVALID_ARGUMENT, with the file's name, where a size is not positive, too large to be meant, or does not fit another.
absl::Status check_claimed_sizes(const std::string& file, const ClaimedSizes& sizes);

}  // namespace bouquet::rose
