/* Compares figures over datasets: see comparison.h. */
#include "study/comparison.h"

#include <math.h>

void comparison_add(struct comparison *c, double first, double second)
{
    comparison_add_gap(c, first, second, (struct gap){NAN, NAN});
}

void comparison_add_gap(struct comparison *c, double first, double second, struct gap gap)
{
    if (isnan(first) || isnan(second))
        return;
    c->n++;
    c->won += c->lower ? first <= second : first >= second;
    c->first += first;
    c->second += second;
    if (isnan(gap.low) || isnan(gap.high))
        return;
    c->known++;
    c->better += c->lower ? gap.high < 0 : gap.low > 0;
    c->worse += c->lower ? gap.low > 0 : gap.high < 0;
    double difference = first - second;
    c->down += (difference - gap.low) * (difference - gap.low);
    c->up += (gap.high - difference) * (gap.high - difference);
}

bool comparison_is_sure(const struct comparison *c)
{
    return c->n > 0 && c->known == c->n;
}

int comparison_sign(const struct comparison *c)
{
    double difference = c->first - c->second;
    bool sure = comparison_is_sure(c);
    int sign = difference > (sure ? sqrt(c->down) : 0) ? 1 : difference < (sure ? -sqrt(c->up) : 0) ? -1 : 0;
    return c->lower ? -sign : sign;
}

double comparison_first(const struct comparison *c)
{
    return c->n ? c->first / (double)c->n : NAN;
}

double comparison_second(const struct comparison *c)
{
    return c->n ? c->second / (double)c->n : NAN;
}

static enum verdict sure_verdict(const struct comparison *c)
{
    int sign = comparison_sign(c);
    if (sign == 0)
        return c->better && c->worse ? HOLDS_IN_PART : UNDECIDED;
    if (sign > 0)
        return c->better >= c->worse ? HOLDS : HOLDS_IN_PART;
    return c->better > c->worse ? HOLDS_IN_PART : DOES_NOT_HOLD;
}

enum verdict comparison_verdict(const struct comparison *c)
{
    if (c->n == 0)
        return NOT_TESTED;
    if (comparison_is_sure(c))
        return sure_verdict(c);
    bool mean = comparison_sign(c) >= 0, most = 2 * c->won > c->n;
    return mean && most ? HOLDS : mean || most ? HOLDS_IN_PART : DOES_NOT_HOLD;
}

enum verdict verdict_join(enum verdict a, enum verdict b)
{
    if (a == NOT_TESTED || a == b)
        return b;
    if (b == NOT_TESTED)
        return a;
    bool undecided = a == UNDECIDED || b == UNDECIDED, refuted = a == DOES_NOT_HOLD || b == DOES_NOT_HOLD;
    return undecided && refuted ? DOES_NOT_HOLD : HOLDS_IN_PART;
}
