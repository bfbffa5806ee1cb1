// The one level that is compiled for other processors than x86-64.
#include "rose/kernels/cpu/level.h"

namespace bouquet::rose::cpu {

const Level& level_of(Isa) { return kPortableLevel; }

}  // namespace bouquet::rose::cpu
