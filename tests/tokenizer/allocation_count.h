// Counts memory taken from malloc and its kin by all of the program, shared libraries too. Linking allocation_count.cc
// puts counting twins in place of glibc's functions, so it must not be linked with a sanitizer, which does the same.
#pragma once

#include <cstdint>

namespace bouquet {

// Since the calling thread began, by it.
uint64_t allocation_count();

}  // namespace bouquet
