/*
 * Bets on a mean: see betting.h.
 *
 * A capital of 1 is bet on every value z_i >= -b: with the share l_i of it, chosen before z_i is seen,
 *
 *     K_i = K_i-1 (1 + l_i z_i),      0 <= l_i <= 3 / (4 b).
 *
 * If the mean is at most 0, whatever came before, K is a nonnegative supermartingale, and reaches 1/d with a
 * probability of at most d (Ville 1939). So the mean is above 0, at level d, once the capital has been 1/d. The share
 * that makes the capital grow fastest is about the mean of z over its mean square, which is estimated from the values
 * before: Waudby-Smith and Ramdas (2024), "Estimating means of bounded random variables by betting", who call it
 * aGRAPA. z needs no upper bound, and its distribution may be any.
 *
 * Estimates begin with values that are not bet on (bet_plan()), and with one error, so that the squares are never 0.
 * O(1) for each value. docs/MEASUREMENTS.md compares it with the bounds of Hoeffding and Bentkus, and with exact
 * binomials.
 */
#include "measure/betting.h"

#include <math.h>

#define MOST_AT_STAKE 0.75

void bet_init(struct bet *bet, double unit, double cap)
{
    *bet = (struct bet){.floor = unit * cap, .sum = -unit, .squares = unit * unit, .count = 1};
}

static double share_of(const struct bet *bet)
{
    return fmax(0, fmin(bet->sum / bet->squares, MOST_AT_STAKE / bet->floor));
}

void bet_plan(struct bet *bet, double value)
{
    value = fmax(value, -bet->floor);
    bet->sum += value;
    bet->squares += value * value;
    bet->count++;
}

void bet_take(struct bet *bet, double value)
{
    bet->wealth += log1p(share_of(bet) * fmax(value, -bet->floor));
    bet->most = fmax(bet->most, bet->wealth);
    bet_plan(bet, value);
}

double bet_outlook(const struct bet *bet, double n)
{
    double share = share_of(bet);
    return n / bet->count * share * (bet->sum - share * bet->squares / 2);
}

bool bet_won(const struct bet *bet, double level)
{
    return bet->most >= -log(level);
}
