// The fast CPU back end: panels of packed weights, one set of kernels an instruction-set level.
#pragma once

#include <memory>

#include "rose/device/cpu/isa.h"
#include "rose/kernels/kernels.h"

namespace bouquet::rose::cpu {

// For streams of the CPU device. `isa` must be one of supported_isas().
std::unique_ptr<Kernels> make_kernels(Isa isa);

}  // namespace bouquet::rose::cpu
