/* Measures learning curves: see learning_curve.h. Linear in the steps. */
#include "simulation/learning_curve.h"

#include <math.h>

double curve_reach(const struct curve_step *step, size_t steps, double score)
{
    size_t i = 0;
    while (i < steps && !(step[i].score >= score))
        i++;
    if (i == steps)
        return NAN;
    if (i == 0)
        return step[0].cost;
    const struct curve_step *a = &step[i - 1], *b = &step[i];
    return a->cost + (b->cost - a->cost) * (score - a->score) / (b->score - a->score);
}

/* Returns the score on the line from a to b. */
static double score_at(const struct curve_step *a, const struct curve_step *b, double cost)
{
    return b->cost > a->cost ? a->score + (b->score - a->score) * (cost - a->cost) / (b->cost - a->cost) : b->score;
}

double curve_mean(const struct curve_step *step, size_t steps, double from, double to)
{
    if (steps < 2 || !(from < to) || step[0].cost > from || step[steps - 1].cost < to)
        return NAN;
    double area = 0;
    for (size_t i = 1; i < steps; i++) {
        const struct curve_step *a = &step[i - 1], *b = &step[i];
        double left = fmax(a->cost, from), right = fmin(b->cost, to);
        if (left < right)
            area += (right - left) * (score_at(a, b, left) + score_at(a, b, right)) / 2;
    }
    return area / (to - from);
}
