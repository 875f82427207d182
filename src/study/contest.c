/* A contest: see contest.h. */
#include "study/contest.h"

#include <math.h>

void contest_add(struct contest *c, double first, double second)
{
    if (isnan(first) || isnan(second))
        return;
    c->n++;
    c->won += c->lower ? first <= second : first >= second;
    c->first += first;
    c->second += second;
}

double contest_first(const struct contest *c)
{
    return c->n ? c->first / (double)c->n : NAN;
}

double contest_second(const struct contest *c)
{
    return c->n ? c->second / (double)c->n : NAN;
}

enum verdict contest_verdict(const struct contest *c)
{
    if (c->n == 0)
        return NOT_TESTED;
    bool mean = c->lower ? c->first <= c->second : c->first >= c->second, most = 2 * c->won > c->n;
    return mean && most ? HOLDS : mean || most ? HOLDS_IN_PART : DOES_NOT_HOLD;
}

enum verdict verdict_join(enum verdict a, enum verdict b)
{
    if (a == NOT_TESTED || a == b)
        return b;
    return b == NOT_TESTED ? a : HOLDS_IN_PART;
}
