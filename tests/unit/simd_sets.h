/*
 * Runs a test with every instruction set that the processor has:
 *
 *     EACH_SIMD_SET
 *         the kernels that are called here use `simd_set`
 *
 * The linker puts a function of run_tests.c in the place of simd_best(). Outside of such a loop it returns the best
 * set.
 */
#ifndef SIMD_SETS_H
#define SIMD_SETS_H

#include "core/simd.h"

#include <stdint.h>

extern enum simd simd_set;   /* SIMD_SETS: the best set */
extern uint32_t simd_chosen; /* how often code has asked for `simd_set` in a loop */

/* Returns the set after `simd_set`; SIMD_SETS after the last that the processor has. */
enum simd simd_next(void);

#define EACH_SIMD_SET for (simd_set = SIMD_PLAIN; simd_set < SIMD_SETS; simd_set = simd_next())

#endif
