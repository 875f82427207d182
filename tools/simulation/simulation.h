/*
 * Simulates active learning: labels are there, but the learner sees only those of the sentences that it chose. From
 * options to learning curves of several ways of choosing, and how many words each of them saves.
 *
 * Mejer and Crammer, section on active learning: some sentences are chosen at random to begin with. Then, round after
 * round, a random thousand of the others is scored, and the ten that the learner is least sure of are labelled. Every
 * hundred sentences it is measured on a test file.
 *
 *     simulation_prepare() -> simulation_read() -> simulation_run() -> curves and their summary
 */
#ifndef VOUCH_SIMULATION_SIMULATION_H
#define VOUCH_SIMULATION_SIMULATION_H

#include "simulation/active_learner.h"
#include "train/learning.h"

struct active_point {
    uint32_t sentences;
    size_t words;
    double score;   /* percent, as active_learner_measure() has it */
    double seconds; /* that labelling them takes, by plan->cost */
};

/* The curve of one way of choosing in one repeat. */
struct active_curve {
    struct active_point *point; /* [points] */
    uint32_t points;            /* as many as were measured: all, unless it was stopped */
};

struct active_outcome {
    struct active_curve *curve; /* [strategies][repeats] */
    uint32_t runs;
    uint32_t points; /* of a whole curve; all curves have the same numbers of sentences */
    bool chunks;     /* the score is F1 */
    bool stopped;
};

/* Runs the simulation. If it is stopped early, it succeeds with what was measured until then. Release in any case. */
bool active_run(const struct active_plan *plan, struct active_outcome *outcome, struct vouch_error *err);
void active_release(struct active_outcome *outcome);

/* A step of a learning curve: how good a learner is after so much was labelled for it, in words or in seconds. */
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

/* One way of choosing, over all repeats. */
struct active_way {
    struct curve_step *mean; /* [points] words and score */
    struct curve_step *time; /* [points] seconds and score */
    double *interval; /* [points] mean +- this is its 95 % confidence interval, by Student's t; NAN for one repeat */
    uint32_t points;
    double reach; /* words until the mean curve first was as good as random is in the end; NAN: never */
    double saved; /* percent of the words that random needs for it; NAN: not known */
    double saved_interval; /* saved +- this is its 95 % interval, by the jackknife over repeats; NAN for one repeat */
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
 * Summarises a simulation: mean curves, and how many words a way of choosing saves. The question is that of the paper's
 * Table 12: to be as good as after labelling all of the random sentences, how many words did each way need?
 *
 * Summarises the repeats that are complete. If none is, because the simulation was stopped, summarises the first alone,
 * as far as it got. Release in any case.
 */
bool active_summarise(struct active_summary *summary, const struct active_plan *plan,
                      const struct active_outcome *outcome, struct vouch_error *err);
void active_summary_release(struct active_summary *summary);

/* The job: from the options of vouch active. */

enum { MOST_WAYS = 16 };

/* Set the first field, and zero the rest. Must not be moved once it is prepared. Release in any case. */
struct simulation {
    const struct active_options *options; /* the pool is learned from, the test file is measured on */

    struct active_plan plan;
    struct active_outcome outcome;
    struct active_summary summary;
    const char *score; /* what was measured: "F1", "accuracy", "LAS" or "UAS" */

    struct learning learning;
    struct corpus corpus;
    struct query_strategy strategy[MOST_WAYS];
    uint32_t strategies;
};

/* Checks the options, and finds the ways of choosing that they name. */
bool simulation_prepare(struct simulation *simulation, struct vouch_error *err);
bool simulation_read(struct simulation *simulation, struct vouch_error *err);

/*
 * If the watch stops it, the result is what was measured until then, with outcome.stopped set; VOUCH_ERR_STOPPED if
 * nothing was measured.
 */
bool simulation_run(struct simulation *simulation, struct vouch_error *err);
void simulation_release(struct simulation *simulation);

#endif
