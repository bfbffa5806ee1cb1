// The kernels of ISA level portable.
#include "rose/kernels/cpu/attention.h"
#include "rose/kernels/cpu/gemm.h"
#include "rose/kernels/cpu/paged_attention.h"
#include "rose/kernels/cpu/rows.h"
#include "rose/kernels/cpu/simd_portable.h"
#include "rose/kernels/cpu/vocabulary.h"

namespace bouquet::rose::cpu {

const Level kPortableLevel = {
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
