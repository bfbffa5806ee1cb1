// One mremap over the executable segment: it never has a moment without code.
#include "cli/huge_code.h"

#include <link.h>
#include <sys/mman.h>

#include <cstring>
#include <fstream>
#include <string>

#include "base/huge_pages.h"

namespace bouquet::cli {
namespace {

// [begin, end) of the program's code; what lies between end and the next 2 MB border is the program's too.
struct Code {
  uintptr_t begin = 0;
  uintptr_t end = 0;
};

// The first object is the program itself. No code where its segment shares a huge page with another.
int find_code(dl_phdr_info* program, size_t, void* out) {
  Code code;
  for (int i = 0; i < program->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = program->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || !(segment.p_flags & PF_X)) continue;
    code.begin = program->dlpi_addr + segment.p_vaddr;
    code.end = code.begin + segment.p_memsz;
  }
  bool alone = code.begin % kHugePage == 0;
  for (int i = 0; i < program->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = program->dlpi_phdr[i];
    const uintptr_t begin = program->dlpi_addr + segment.p_vaddr;
    alone &= segment.p_type != PT_LOAD || begin == code.begin || begin >= round_up(code.end, kHugePage) ||
             begin + segment.p_memsz <= code.begin;
  }
  *static_cast<Code*>(out) = alone ? code : Code{};
  return 1;
}

bool huge_pages_allowed() {
  std::ifstream file("/sys/kernel/mm/transparent_hugepage/enabled");
  std::string setting;
  return std::getline(file, setting) && setting.find("[never]") == std::string::npos;
}

}  // namespace

int64_t move_code_to_huge_pages() {
  Code code;
  dl_iterate_phdr(find_code, &code);
  if (code.begin == code.end || !huge_pages_allowed()) return 0;
  const size_t size = round_up(code.end, kHugePage) - code.begin;
  void* const room =
      mmap(nullptr, size + kHugePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) return 0;
  void* const destination = reinterpret_cast<void*>(round_up(reinterpret_cast<uintptr_t>(room), kHugePage));
  void* const source = reinterpret_cast<void*>(code.begin);
  madvise(destination, size, MADV_HUGEPAGE);
  std::memcpy(destination, source, code.end - code.begin);
  const bool moved = mprotect(destination, size, PROT_READ | PROT_EXEC) == 0 &&
                     mremap(destination, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, source) == source;
  if (!moved) munmap(room, size + kHugePage);  // else what is left of it is address space alone
  return moved ? static_cast<int64_t>(code.end - code.begin) : 0;
}

}  // namespace bouquet::cli
