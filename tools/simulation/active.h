/*
 * Simulates active learning: labels are there, but the learner sees only those
 * of the sentences that it chose.
 *
 * Mejer and Crammer, section on active learning: some sentences are chosen at
 * random to begin with. Then, round after round, a random thousand of the
 * others is scored, and the ten that the learner is least sure of are labelled.
 * Every hundred sentences it is measured on a test file.
 */
#ifndef VOUCH_SIMULATION_ACTIVE_H
#define VOUCH_SIMULATION_ACTIVE_H

#include "active/active_learner.h"
#include "active/labelling_cost.h"

struct active_plan {
    const struct dataset *dataset; /* examples to choose from, dev sentences to measure on */
    const struct trial *trial;     /* [voices] */
    uint32_t voices;
    const struct query_strategy *strategy; /* [strategies] the ways of choosing to compare */
    uint32_t strategies;
    uint32_t initial, candidates, choose, every, most; /* sentences; choose is at most candidates */
    uint32_t repeats; /* each with other random choices, which are the same for all ways of choosing */
    uint32_t passes;
    bool scratch;     /* learn anew in every round; else where it is measured, and on in between */
    double diversity; /* pass over sentences that overlap more with one of the same round; 0: never */
    uint32_t draws;
    struct labelling_cost cost;
    uint64_t seed;
    uint32_t threads;
    const struct vouch_watch *watch; /* told VOUCH_EVENT_ROUNDS, from one thread at a time; may be NULL */
};

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

#endif
