/*
 * A kernel is written once and compiled for each instruction set, and the best set that the processor has is chosen
 * when the program runs.
 *
 *     SIMD_BODY void double_all(float *x, size_t n) { ... plain loops ... }
 *     SIMD_KERNEL(double_all, (float *x, size_t n), (x, n))
 *     ...
 *     double_all_for[simd_best()](x, n);
 *
 * A body is loops over lanes, each lane for itself and its sums in a fixed order, so that every set gives the same
 * bits. Only additions and products are used, never a fused one.
 */
#ifndef VOUCH_CORE_SIMD_H
#define VOUCH_CORE_SIMD_H

enum simd { SIMD_PLAIN, SIMD_AVX2, SIMD_AVX512, SIMD_SETS };

/* Returns the last set of the list that the processor has. */
enum simd simd_best(void);

#define SIMD_BODY static inline __attribute__((always_inline))

#if defined(__x86_64__)
#define SIMD_FOR_AVX2 __attribute__((target("avx2")))
#if defined(__clang__)
#define SIMD_FOR_AVX512 __attribute__((target("avx2,avx512f,avx512bw,avx512dq,avx512vl")))
#else
#define SIMD_FOR_AVX512 __attribute__((target("avx2,avx512f,avx512bw,avx512dq,avx512vl,prefer-vector-width=512")))
#endif
#else
#define SIMD_FOR_AVX2
#define SIMD_FOR_AVX512
#endif

/* Makes instances of the body `name` for every set, in the table name_for[]. */
#define SIMD_KERNEL(name, parameters, arguments)                                                                       \
    static void name##_plain parameters                                                                                \
    {                                                                                                                  \
        name arguments;                                                                                                \
    }                                                                                                                  \
    SIMD_FOR_AVX2 static void name##_avx2 parameters                                                                   \
    {                                                                                                                  \
        name arguments;                                                                                                \
    }                                                                                                                  \
    SIMD_FOR_AVX512 static void name##_avx512 parameters                                                               \
    {                                                                                                                  \
        name arguments;                                                                                                \
    }                                                                                                                  \
    static void(*const name##_for[SIMD_SETS]) parameters = {name##_plain, name##_avx2, name##_avx512};

#endif
