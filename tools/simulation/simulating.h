/*
 * Simulates active learning on labelled files: from options to learning curves of several ways of choosing, and how
 * many words each of them saves.
 *
 *     simulating_prepare() -> simulating_read() -> simulating_run() -> curves and their summary
 */
#ifndef VOUCH_SIMULATION_SIMULATING_H
#define VOUCH_SIMULATION_SIMULATING_H

#include "train/learned_corpus.h"
#include "simulation/active_summary.h"

enum { MOST_WAYS = 16 };

/* Set the first two fields, and zero the rest. Must not be moved once it is prepared. Release in any case. */
struct simulating {
    const struct settings *settings; /* of vouch active: the pool is learned from, the test file is measured on */
    const struct vouch_watch *watch; /* may be NULL */

    struct active_plan plan;
    struct active_outcome outcome;
    struct active_summary summary;
    const char *score; /* what was measured: "F1", "accuracy", "LAS" or "UAS" */

    struct learning learning;
    struct learned_corpus corpus;
    struct query_strategy strategy[MOST_WAYS];
    uint32_t strategies;
};

/* Checks the options, and finds the ways of choosing that they name. */
bool simulating_prepare(struct simulating *simulating, struct vouch_error *err);
bool simulating_read(struct simulating *simulating, struct vouch_error *err);

/*
 * If the watch stops it, the result is what was measured until then, with outcome.stopped set; VOUCH_ERR_STOPPED if
 * nothing was measured.
 */
bool simulating_run(struct simulating *simulating, struct vouch_error *err);
void simulating_release(struct simulating *simulating);

#endif
