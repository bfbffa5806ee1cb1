// Anonymous mappings, aligned to 2 MB and advised to huge pages.
#include "rose/device/cpu/memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/huge_pages.h"
#include "fmt/format.h"

namespace bouquet::rose::cpu {
namespace {

constexpr size_t kLine = 64;
constexpr size_t kRegion = size_t{64} << 20;  // address space; memory is taken page by page, as it is written

}  // namespace

class Region {
 public:
  // Null when the system has no room.
  static std::shared_ptr<Region> map(size_t size) {
    const size_t mapped = size + kHugePage;
    void* address = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return address == MAP_FAILED ? nullptr : std::make_shared<Region>(address, mapped);
  }
  Region(void* address, size_t mapped) : address_(address), mapped_(mapped) {
    const auto first = reinterpret_cast<uintptr_t>(address);
    next_ = static_cast<char*>(address) + (round_up(first, kHugePage) - first);
    madvise(next_, mapped - kHugePage, MADV_HUGEPAGE);  // where huge pages are off, small ones serve
  }
  ~Region() { munmap(address_, mapped_); }
  Region(const Region&) = delete;

  size_t left() const { return static_cast<char*>(address_) + mapped_ - next_; }
  void* cut(size_t size) { return std::exchange(next_, next_ + size); }

 private:
  void* address_;
  size_t mapped_;
  char* next_;
};

namespace {

class RegionBuffer : public Buffer {
 public:
  RegionBuffer(std::shared_ptr<Region> region, size_t size)
      : region_(std::move(region)), data_(region_->cut(size)), size_(size) {}
  void* data() const override { return data_; }
  size_t size() const override { return size_; }

 private:
  std::shared_ptr<Region> region_;
  void* data_;
  size_t size_;
};

}  // namespace

Memory::Memory() = default;
Memory::~Memory() = default;

absl::StatusOr<std::unique_ptr<Buffer>> Memory::allocate(size_t bytes) {
  const absl::Status none = absl::ResourceExhaustedError(fmt::format("cannot allocate {} bytes", bytes));
  if (bytes > SIZE_MAX / 2) return none;
  const size_t size = std::max(round_up(bytes, kLine), kLine);
  std::lock_guard lock(mutex_);
  const bool shared = size <= kRegion / 2;
  std::shared_ptr<Region> region = shared ? current_ : nullptr;
  if (!region || region->left() < size) region = Region::map(std::max(size, shared ? kRegion : 0));
  if (!region) return none;
  if (shared) current_ = region;
  return std::make_unique<RegionBuffer>(std::move(region), size);
}

}  // namespace bouquet::rose::cpu
