/*
 * This is the seam of learners: what a learner needs of a sentence, and how it
 * changes a voice.
 *
 * A learner never sees a lattice. The training loop decodes what `need` tells,
 * builds the difference vectors, and calls update():
 *
 *   NEED_CHOICES    up to K lanes: gold minus each of the K best choices that is wrong
 *   NEED_MARGINALS  one lane: gold minus the expected parts
 */
#ifndef VOUCH_CORE_LEARNER_H
#define VOUCH_CORE_LEARNER_H

#include "core/diff.h"
#include "core/structure.h"
#include "core/voice.h"

enum learner_need { NEED_CHOICES, NEED_MARGINALS };

/* How confidence-weighted learning keeps its covariance diagonal. */
enum covariance {
    COVARIANCE_FULL,    /* update the full matrix, keep its diagonal */
    COVARIANCE_INVERSE, /* update the full inverse, keep its diagonal */
    COVARIANCE_EXACT    /* solve for the diagonal matrix itself */
};

/* Every parameter of every learner; each reads its own. */
struct learner_options {
    double C;        /* passive-aggressive: the largest step */
    double phi;      /* confidence-weighted: how sure the margin must be */
    double variance; /* confidence-weighted: initial variance of every weight */
    enum covariance covariance;
    double rate; /* log-likelihood: first step */
    double l2;   /* log-likelihood: strength of the Gaussian prior, for the whole corpus */
    uint32_t K;  /* how many of the best choices to learn from */
};

struct learner {
    const char *name;
    enum learner_need need;

    /* What it keeps beside the mean; NULL: nothing. */
    struct voice_needs (*keeps)(const struct learner_options *options);

    /*
     * Restores what it keeps beside mean and variance after those were copied from a model; NULL: it keeps nothing
     * else.
     */
    void (*resume)(struct voice *voice);

    /* `loss` [lanes]: words that each lane's choice gets wrong. `work` is free to use. */
    bool (*update)(const struct learner_options *options, struct voice *voice, const struct diff *diff,
                   const double *loss, struct scratch *work, struct vouch_error *err);

    /* Called after every pass; may be NULL. It goes weight by weight: the voice may be a stretch of a larger one. */
    void (*end_pass)(const struct learner_options *options, struct voice *voice);
};

#endif
