// The levels that are compiled for x86-64.
#include "rose/kernels/cpu/level.h"

namespace bouquet::rose::cpu {

const Level& level_of(Isa isa) {
  switch (isa) {
    case Isa::kAvx512:
      return kAvx512Level;
    case Isa::kAvx2:
      return kAvx2Level;
    case Isa::kPortable:
      break;
  }
  return kPortableLevel;
}

}  // namespace bouquet::rose::cpu
