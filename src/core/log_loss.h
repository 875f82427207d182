/*
 * Log loss, in nats, is minus the logarithm of the probability that was given to the truth. Probabilities below a
 * millionth count as a millionth, so that one prediction that is certain and wrong does not outweigh all others.
 */
#ifndef VOUCH_CORE_LOG_LOSS_H
#define VOUCH_CORE_LOG_LOSS_H

#include <math.h>
#include <stdbool.h>

static inline double log_loss(double p, bool right)
{
    return -log(fmax(right ? p : 1 - p, 1e-6));
}

#endif
