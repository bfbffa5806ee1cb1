// An allocator for big tables that are read at random: on 2 MB pages, where the kernel has them, a look-up seldom
// misses the TLB.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <new>
#include <vector>

namespace bouquet::tokenizer {

template <typename T>
class HugePages {
 public:
  using value_type = T;
  HugePages() = default;
  template <typename U>
  HugePages(const HugePages<U>&) {}  // NOLINT: allocators convert

  T* allocate(size_t count) {
    const size_t bytes = count * sizeof(T);
    void* const memory = ::operator new(bytes, alignment(count));
    if (bytes >= kPage) madvise(memory, bytes, MADV_HUGEPAGE);  // where they are off, small ones serve
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, size_t count) { ::operator delete(memory, alignment(count)); }
  bool operator==(const HugePages&) const { return true; }

 private:
  static constexpr size_t kPage = 2 << 20;
  static std::align_val_t alignment(size_t count) {
    return std::align_val_t(count * sizeof(T) >= kPage ? kPage : alignof(std::max_align_t));
  }
};

template <typename T>
using HugeVector = std::vector<T, HugePages<T>>;

}  // namespace bouquet::tokenizer
