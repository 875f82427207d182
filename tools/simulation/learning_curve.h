/*
 * A learning curve tells how good a learner is after so much was labelled for it, in words or in seconds.
 */
#ifndef VOUCH_SIMULATION_LEARNING_CURVE_H
#define VOUCH_SIMULATION_LEARNING_CURVE_H

#include <stddef.h>

struct curve_step {
    double cost, score;
};

/*
 * Returns the cost at which `score` was first reached, on the straight lines between steps; NAN if it was never
 * reached. Steps are in the order of their costs.
 */
double curve_reach(const struct curve_step *step, size_t steps, double score);

/*
 * Returns the mean score while the cost grows from `from` to `to`: the area under the lines over its width. NAN if the
 * curve does not go that far, or to <= from.
 */
double curve_mean(const struct curve_step *step, size_t steps, double from, double to);

#endif
