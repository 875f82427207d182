/* Chooses an instruction set: see simd.h. A file of its own, so that a test can put another choice in its place. */
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
