// The naive twin of every kernel: one loop nest each, accumulating in f64 where that is simplest to trust. Tests hold
// the fast kernels against it, and `--kernels reference` serves with it.
#pragma once

#include <memory>

#include "rose/kernels/kernels.h"

namespace bouquet::rose::reference {

// For streams of the CPU device. Weights are stored as plain [n][k] rows.
std::unique_ptr<Kernels> make_kernels();

}  // namespace bouquet::rose::reference
