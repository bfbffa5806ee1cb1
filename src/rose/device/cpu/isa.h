// The instruction-set levels CPU kernels are compiled for, and which of them this processor has.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace bouquet::rose::cpu {

enum class Isa { kPortable, kAvx2, kAvx512 };  // ascending

std::string_view name_of(Isa isa);
absl::StatusOr<Isa> parse_isa(std::string_view name);

// What cpuid and the operating system allow, ascending; kPortable is always there.
const std::vector<Isa>& supported_isas();

// `wanted`: a level's name, or "" / "auto" for the best one here. FAILED_PRECONDITION when this processor lacks it.
absl::StatusOr<Isa> choose_isa(std::string_view wanted);

// The processor's own name, e.g. "AMD EPYC 7763 64-Core Processor".
std::string processor_name();

}  // namespace bouquet::rose::cpu
