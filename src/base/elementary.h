/*
 * Elementary functions that give the same bits on every machine.
 *
 * Those of the C library differ in the last place from version to version, and with the processor: glibc has variants
 * with fused multiplication. So nothing that can reach a model, an answer or a decision calls them: tests/layers sees
 * to it. Only sqrt() and what is exact, such as ldexp() and floor(), are the C library's.
 *
 * Errors are given in units of the last place (ulp). NAN gives NAN. What C asks of infinities and zeros holds.
 */
#ifndef VOUCH_BASE_ELEMENTARY_H
#define VOUCH_BASE_ELEMENTARY_H

#define VALUE_ALONE __attribute__((const)) /* of two equal calls the compiler may leave one out */

VALUE_ALONE double exp_of(double x);    /* within 0.6 ulp where it is not subnormal, and non-decreasing */
VALUE_ALONE double log_of(double x);    /* the natural logarithm, within 0.7 ulp; NAN below 0 */
VALUE_ALONE double log1p_of(double x);  /* log(1 + x), within 0.7 ulp; NAN below -1 */
VALUE_ALONE double asinh_of(double x);  /* within 2 ulp */
VALUE_ALONE double lgamma_of(double x); /* log of gamma(x) for x > 0, within 1e-14 or 3 ulp; NAN elsewhere */
VALUE_ALONE double sin_of(double x);    /* within 1.5 ulp or 2^-80, for |x| <= 7; NAN beyond */
VALUE_ALONE double cos_of(double x);

/* Returns 10^n: the nearest double for n of -22 to 22, beyond that within a few ulp. */
VALUE_ALONE double ten_to(int n);

#endif
