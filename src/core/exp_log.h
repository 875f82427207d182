/*
 * Exponentials and logarithms of many numbers at once, each within two units of the last place.
 *
 * They are sums and products in a fixed order, so that every instruction set gives the same bits; those of the C
 * library depend on the processor, and on its version.
 */
#ifndef VOUCH_CORE_EXP_LOG_H
#define VOUCH_CORE_EXP_LOG_H

#include "base/elementary.h"
#include "core/simd.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* Replaces every x <= 709 by exp(x); below EXP_LOWEST it is 0. */
#define EXP_LOWEST (-708.0)
void exp_all(double *x, size_t n);

/* Replaces every normal, positive and finite x by log(x); that of 1 is 0. */
void log_all(double *x, size_t n);

/*
 * Returns the log loss, in nats: minus the logarithm of the probability that was given to the truth. Those below a
 * millionth count as a millionth, so that one prediction that is certain and wrong does not outweigh all others.
 */
static inline double log_loss(double p, bool right)
{
    return -log_of(fmax(right ? p : 1 - p, 1e-6));
}

#endif
