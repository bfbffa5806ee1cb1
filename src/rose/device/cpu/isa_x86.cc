// What an x86-64 processor has, through the compiler's cpuid builtins (they check xgetbv, so AVX state is usable).
#include <cpuid.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "rose/device/cpu/isa.h"

namespace bouquet::rose::cpu {

const std::vector<Isa>& supported_isas() {
  static const std::vector<Isa> kSupported = [] {
    __builtin_cpu_init();
    std::vector<Isa> found = {Isa::kPortable};
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) found.push_back(Isa::kAvx2);
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq")) {
      found.push_back(Isa::kAvx512);
    }
    return found;
  }();
  return kSupported;
}

std::string processor_name() {
  std::array<unsigned, 12> words{};
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  if (!__get_cpuid(0x80000000u, &eax, &ebx, &ecx, &edx) || eax < 0x80000004u) return "unknown processor";
  for (unsigned leaf = 0; leaf < 3; ++leaf) {
    unsigned* w = &words[leaf * 4];
    __get_cpuid(0x80000002u + leaf, &w[0], &w[1], &w[2], &w[3]);
  }
  char text[49] = {};
  std::memcpy(text, words.data(), 48);
  std::string name(text);
  while (!name.empty() && name.back() == ' ') name.pop_back();
  return name.substr(std::min(name.find_first_not_of(' '), name.size()));
}

}  // namespace bouquet::rose::cpu
