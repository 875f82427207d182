/*
 * Compares algorithms: each is cross-validated on the same folds of a corpus, and each pair compared by a paired
 * t-test.
 */
#ifndef VOUCH_EVAL_ALGORITHM_FOLDS_H
#define VOUCH_EVAL_ALGORITHM_FOLDS_H

#include "eval/evaluation.h"
#include "train/cross_validation.h"

/* The results. Must not be moved. */
struct algorithm_folds {
    struct learning learning; /* with --tune, its trials have the parameters that were chosen */
    struct corpus corpus;
    struct tuned tuned[MAX_VOICES]; /* with --tune */
    uint32_t folds;
    struct layer_score *result; /* [trials][folds] */
    struct layer_score *after;  /* [trials][folds][passes], if asked for, else NULL */
    double *figure;             /* [trials][folds] the figure of each result by which algorithms are compared */
};

/* Checks the options of vouch eval --folds. */
bool algorithm_folds_prepare(struct algorithm_folds *folds, const struct eval_options *settings,
                             struct vouch_error *err);

/* Reads the files; then learns, measuring after every pass if `passes`. Release in any case. */
bool algorithm_folds_read(struct algorithm_folds *folds, const struct eval_options *settings,
                          const struct vouch_watch *watch, struct vouch_error *err);
bool algorithm_folds_run(struct algorithm_folds *folds, bool passes, const struct vouch_watch *watch,
                         struct vouch_error *err);
void algorithm_folds_release(struct algorithm_folds *folds);

/* Returns all figures, after every pass, and the tests. NULL: there was no memory. */
json_t *algorithm_folds_json(const struct algorithm_folds *folds);

#endif
