/*
 * Summarises a simulation of active learning: mean curves, and how many words a
 * way of choosing saves.
 *
 * The question is that of the paper's Table 12: to be as good as after
 * labelling all of the random sentences, how many words did each way need?
 */
#ifndef VOUCH_SIMULATION_ACTIVE_SUMMARY_H
#define VOUCH_SIMULATION_ACTIVE_SUMMARY_H

#include "simulation/learning_curve.h"
#include "simulation/active.h"

/* One way of choosing, over all repeats. */
struct active_way {
    struct curve_step *mean; /* [points] words and score */
    struct curve_step *time; /* [points] seconds and score */
    double *interval; /* [points] mean +- this is its 95 % confidence interval, by Student's t; NAN for one repeat */
    uint32_t points;
    double reach; /* words until the mean curve first was as good as random is in the end; NAN: never */
    double saved; /* percent of the words that random needs for it; NAN: not known */
    double reach_seconds, saved_seconds; /* the same of the seconds that labelling takes */
    double area, area_interval;          /* mean score over the number of words, as far as all ways went */
    double p;                            /* of the paired t-test of that against random; NAN: none */
};

struct active_summary {
    struct active_way *way; /* [ways] */
    uint32_t ways;
    uint32_t repeats; /* of which this is the mean */
    uint32_t random;  /* which way is random; `ways` if none is */
    double target;    /* its last score; NAN if there is none */
    double area_to;   /* words up to which areas are taken, in the mean */
};

/*
 * Summarises the repeats that are complete. If none is, because the simulation was stopped, summarises the first alone,
 * as far as it got. Release in any case.
 */
bool active_summarise(struct active_summary *summary, const struct active_plan *plan,
                      const struct active_outcome *outcome, struct vouch_error *err);
void active_summary_release(struct active_summary *summary);

#endif
