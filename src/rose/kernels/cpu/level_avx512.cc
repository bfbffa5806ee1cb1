// The kernels of ISA level avx512.
#include "rose/kernels/cpu/attention.h"
#include "rose/kernels/cpu/gemm.h"
#include "rose/kernels/cpu/paged_attention.h"
#include "rose/kernels/cpu/rows.h"
#include "rose/kernels/cpu/simd_avx512.h"
#include "rose/kernels/cpu/vocabulary.h"

namespace bouquet::rose::cpu {

const Level kAvx512Level = {
    .linear = linear<Simd>,
    .norm = norm<Simd>,
    .gate = gate<Simd>,
    .rope = rope<Simd>,
    .attention = attention<Simd>,
    .store = store,
    .paged_attention = paged_attention<Simd>,
    .embed = embed<Simd>,
    .pool = pool<Simd>,
    .vocabulary = vocabulary<Simd>,
    .finish = finish<Simd>,
};

}  // namespace bouquet::rose::cpu
