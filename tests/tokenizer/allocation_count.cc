// free stays glibc's: the twins hand out its memory.
#include "tokenizer/allocation_count.h"

#include <cerrno>
#include <cstddef>

extern "C" {
void* __libc_malloc(size_t bytes);
void* __libc_calloc(size_t count, size_t bytes);
void* __libc_realloc(void* memory, size_t bytes);
void* __libc_memalign(size_t unit, size_t bytes);
}

namespace {
thread_local uint64_t count = 0;
}  // namespace

namespace bouquet {
uint64_t allocation_count() { return count; }
}  // namespace bouquet

extern "C" {

void* malloc(size_t bytes) {
  ++count;
  return __libc_malloc(bytes);
}

void* calloc(size_t members, size_t bytes) {
  ++count;
  return __libc_calloc(members, bytes);
}

void* realloc(void* memory, size_t bytes) {
  ++count;
  return __libc_realloc(memory, bytes);
}

void* memalign(size_t unit, size_t bytes) {
  ++count;
  return __libc_memalign(unit, bytes);
}

void* aligned_alloc(size_t unit, size_t bytes) { return memalign(unit, bytes); }

int posix_memalign(void** memory, size_t unit, size_t bytes) {
  void* const taken = memalign(unit, bytes);
  if (taken == nullptr) return ENOMEM;
  *memory = taken;
  return 0;
}
}
