/*
 * Exponentials and logarithms as polynomials, each number in a lane of its own.
 *
 * For exp(x), k is x / log 2, rounded, and r the rest, at most half of log 2:
 *
 *     exp(x) = 2^k exp(r),      exp(r) = 1 + r + r^2 / 2! + ... + r^13 / 13!
 *
 * For log(x), x is 2^k m with m between the roots of 1/2 and 2, and s = (m - 1) / (m + 1), at most 0.172:
 *
 *     log(x) = k log 2 + log(m),      log(m) = 2 (s + s^3 / 3 + s^5 / 5 + ... + s^21 / 21)
 *
 * What is left out is below a tenth of the last place. log 2 is a sum of two numbers, of which k times the first is
 * exact. Integers are made of doubles and back by adding a large number, in whose last bits they then are.
 *
 * Cost: about nine instructions for each number, if vectors have four.
 */
#include "core/exp_log.h"

#include "base/float_bits.h"

#define LOG2_HIGH 0x1.62e42feep-1           /* the first 32 bits of log 2, */
#define LOG2_LOW 0x1.a39ef35793c76p-33      /* and the others */
#define ROUNDING 0x1.8p52                   /* added to a double, rounds it to an integer */
#define ROOT UINT64_C(0x3fe6a09e667f3bcd)   /* the bits of the root of 1/2, */
#define ONE UINT64_C(0x3ff0000000000000)    /* and of 1 */
#define TWO_52 UINT64_C(0x4330000000000000) /* and of 2^52, as which an integer can be read that is added to them */
enum { MANTISSA = 52, BIAS = 1023 };

SIMD_BODY double lane_exp(double x)
{
    double shifted = x * 0x1.71547652b82fep0 + ROUNDING, k = shifted - ROUNDING;
    double r = (x - k * LOG2_HIGH) - k * LOG2_LOW, sum = 1 / 6227020800.0;
    sum = sum * r + 1 / 479001600.0;
    sum = sum * r + 1 / 39916800.0;
    sum = sum * r + 1 / 3628800.0;
    sum = sum * r + 1 / 362880.0;
    sum = sum * r + 1 / 40320.0;
    sum = sum * r + 1 / 5040.0;
    sum = sum * r + 1 / 720.0;
    sum = sum * r + 1 / 120.0;
    sum = sum * r + 1 / 24.0;
    sum = sum * r + 1 / 6.0;
    sum = sum * r + 0.5;
    sum = sum * (r * r) + r + 1;
    return x >= EXP_LOWEST ? sum * from_bits((bits_of(shifted) << MANTISSA) + ONE) : 0;
}

SIMD_BODY double lane_log(double x)
{
    uint64_t shifted = bits_of(x) + (ONE - ROOT);
    double k = from_bits((shifted >> MANTISSA) + TWO_52) - (0x1p52 + BIAS);
    double m = from_bits((shifted & ((UINT64_C(1) << MANTISSA) - 1)) + ROOT);
    double s = (m - 1) / (m + 1), z = s * s, sum = 1 / 21.0;
    sum = sum * z + 1 / 19.0;
    sum = sum * z + 1 / 17.0;
    sum = sum * z + 1 / 15.0;
    sum = sum * z + 1 / 13.0;
    sum = sum * z + 1 / 11.0;
    sum = sum * z + 1 / 9.0;
    sum = sum * z + 1 / 7.0;
    sum = sum * z + 1 / 5.0;
    sum = sum * z + 1 / 3.0;
    return k * LOG2_HIGH + (2 * s + (2 * s * (z * sum) + k * LOG2_LOW));
}

SIMD_BODY void exp_each(double *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        x[i] = lane_exp(x[i]);
}

SIMD_BODY void log_each(double *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        x[i] = lane_log(x[i]);
}

SIMD_KERNEL(exp_each, (double *x, size_t n), (x, n))
SIMD_KERNEL(log_each, (double *x, size_t n), (x, n))

void exp_all(double *x, size_t n)
{
    exp_each_for[simd_best()](x, n);
}

void log_all(double *x, size_t n)
{
    log_each_for[simd_best()](x, n);
}
