// Names, and what is chosen; isa_x86.cc and isa_portable.cc know what a processor has.
#include "rose/device/cpu/isa.h"

#include <algorithm>

#include "fmt/format.h"

namespace bouquet::rose::cpu {

std::string_view name_of(Isa isa) {
  switch (isa) {
    case Isa::kPortable:
      return "portable";
    case Isa::kAvx2:
      return "avx2";
    case Isa::kAvx512:
      return "avx512";
  }
  return "?";
}

absl::StatusOr<Isa> parse_isa(std::string_view name) {
  for (Isa isa : {Isa::kPortable, Isa::kAvx2, Isa::kAvx512}) {
    if (name == name_of(isa)) return isa;
  }
  return absl::InvalidArgumentError(fmt::format("unknown ISA level \"{}\" (portable, avx2, avx512)", name));
}

absl::StatusOr<Isa> choose_isa(std::string_view wanted) {
  if (wanted.empty() || wanted == "auto") return supported_isas().back();
  absl::StatusOr<Isa> isa = parse_isa(wanted);
  if (!isa.ok()) return isa;
  const auto& supported = supported_isas();
  if (std::find(supported.begin(), supported.end(), *isa) == supported.end()) {
    return absl::FailedPreconditionError(fmt::format("this processor does not have ISA level {}; the best here is {}",
                                                     wanted, name_of(supported.back())));
  }
  return isa;
}

}  // namespace bouquet::rose::cpu
