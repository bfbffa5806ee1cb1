// Memory on 2 MB pages: large tables read at random then miss the TLB a good deal less.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <vector>

namespace bouquet {

constexpr size_t kHugePage = size_t{2} << 20;  // bytes

constexpr size_t round_up(size_t value, size_t unit) { return (value + unit - 1) / unit * unit; }

// For containers of a megabyte or more: asks for huge pages before anything is written. Where they are off, or the
// container is smaller, ordinary memory serves.
template <typename T>
struct HugeAllocator {
  using value_type = T;

  HugeAllocator() = default;
  template <typename U>
  HugeAllocator(const HugeAllocator<U>&) {}

  T* allocate(size_t count) {
    const size_t bytes = count * sizeof(T);
    const bool huge = bytes >= kHugePage / 2;
    const size_t unit = huge ? kHugePage : alignof(T) < alignof(max_align_t) ? alignof(max_align_t) : alignof(T);
    void* const memory = std::aligned_alloc(unit, round_up(bytes, unit));
    if (memory == nullptr) throw std::bad_alloc();
    if (huge) ::madvise(memory, round_up(bytes, unit), MADV_HUGEPAGE);
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, size_t) { std::free(memory); }

  friend bool operator==(const HugeAllocator&, const HugeAllocator&) { return true; }
};

template <typename T>
using HugeVector = std::vector<T, HugeAllocator<T>>;

}  // namespace bouquet
