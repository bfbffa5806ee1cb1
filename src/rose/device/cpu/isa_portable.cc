// For processors that no level is written for, such as 64-bit ARM: the portable kernels, which the compiler turns into
// the vector instructions that every such processor has.
#include "rose/device/cpu/isa.h"

namespace bouquet::rose::cpu {

const std::vector<Isa>& supported_isas() {
  static const std::vector<Isa> kSupported = {Isa::kPortable};
  return kSupported;
}

std::string processor_name() { return BOUQUET_PROCESSOR; }

}  // namespace bouquet::rose::cpu
