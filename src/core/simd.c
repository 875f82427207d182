/*
 * Chooses an instruction set by what the processor says of itself. It is a file of its own, so that the linker can put
 * another function in its place: so the tests run every kernel with every set (tests/unit/simd_sets.h).
 */
#include "core/simd.h"

enum simd simd_best(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        return SIMD_AVX512;
    if (__builtin_cpu_supports("avx2"))
        return SIMD_AVX2;
#endif
    return SIMD_PLAIN;
}
