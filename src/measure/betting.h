/*
 * Betting tests whether the mean of a variable that is bounded below is above zero, at a level that holds for any
 * number of values, however often the result is looked at. See betting.c.
 */
#ifndef VOUCH_MEASURE_BETTING_H
#define VOUCH_MEASURE_BETTING_H

#include <stdbool.h>

struct bet {
    double floor;               /* values below -floor count as -floor */
    double sum, squares, count; /* of the values so far, by which the next bet is chosen */
    double wealth, most;        /* log of the capital, now and at most */
};

/* Values come in steps of about `unit`, and `cap` of these steps downwards are counted at most; both above 0. */
void bet_init(struct bet *bet, double unit, double cap);

/* Takes a value to learn from, which is not bet on; call it before the first bet_take(). */
void bet_plan(struct bet *bet, double value);

/* Bets on a value. */
void bet_take(struct bet *bet, double value);

/* Returns the logarithm of the capital that is expected after `n` values like those that were seen. */
double bet_outlook(const struct bet *bet, double n);

/* Whether a mean of at most 0 is ruled out; with such a mean this happens with a probability of at most `level`. */
bool bet_won(const struct bet *bet, double level);

#endif
