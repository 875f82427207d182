/*
 * The interface of learners: what a learner needs of a sentence, and how it changes a voice; and the training loop.
 *
 * A learner never sees a lattice. The training loop decodes what `need` tells, builds the difference vectors, and calls
 * update():
 *
 *   NEED_CHOICES    up to K lanes: gold minus each of the K best choices that is wrong
 *   NEED_MARGINALS  one lane: gold minus the expected parts
 *
 * Where a sentence is labelled in part, an answer that agrees with it takes the place of gold: see partial.c.
 *
 * A learner prefetches weights some blocks before it changes them: they lie at random places of arrays that are larger
 * than the caches, and the processor alone does not look far enough ahead.
 */
#ifndef VOUCH_LEARN_LEARN_H
#define VOUCH_LEARN_LEARN_H

#include "core/diff.h"
#include "core/examples.h"
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

    /* The further arrays that it needs for each weight; NULL: none. */
    struct voice_needs (*keeps)(const struct learner_options *options);

    /* Sets the further arrays after mean and variance were copied from a model; NULL: there are none but these. */
    void (*resume)(struct voice *voice);

    /* `loss` [lanes]: words that each lane's choice gets wrong. `work` is free to use. */
    bool (*update)(const struct learner_options *options, struct voice *voice, const struct diff *diff,
                   const double *loss, struct scratch *work, struct vouch_error *err);

    /* Called after every pass; may be NULL. It goes weight by weight: the voice may be a part of a larger one. */
    void (*end_pass)(const struct learner_options *options, struct voice *voice);
};

/*
 * Saves and restores a voice that is being learned, after every pass.
 *
 * Learning restores what was saved before its first pass, and then makes those passes that are left. All of the voice
 * must come back, to the last bit: then the result is that of learning without a break. Ranks that learn together must
 * all restore the same pass.
 */
struct voice_checkpoint {
    void *self;

    /* Sets *pass to the last pass that was saved and the voice to what it was then; 0 leaves the voice as it is. */
    bool (*restore)(void *self, struct voice *voice, uint32_t *pass, struct vouch_error *err);

    /* Saves the voice, which it does not change, after this pass, about which the caller was told before. */
    bool (*save)(void *self, struct voice *voice, uint32_t pass, struct vouch_error *err);
};

extern const struct learner perceptron;
extern const struct learner passive_aggressive;
extern const struct learner confidence_weighted;
extern const struct learner log_likelihood;

/* Every learner, and NULL. */
extern const struct learner *const learners[];

/* Returns the learner of that name, or NULL. */
const struct learner *learner_named(const char *name);

/*
 * Returns the first of `count` learners, some of which may be NULL, that learns by likelihood and so has probabilities;
 * `count` if there is none.
 */
uint32_t probable_voice(const struct learner *const *learner, uint32_t count);

/* The progress of training, reported to the caller now and then and after every pass. */
struct training {
    uint32_t pass, passes;   /* from 1 */
    uint32_t seen, examples; /* sentences of this pass */
    double loss;             /* this pass: the share of wrong words, or nats for each word for log-likelihood; only
                                words that are labelled count */
    const struct voice *voice;
};

struct training_options {
    const struct learner *learner;
    struct learner_options parameters;
    uint32_t passes;
    uint64_t seed;
    uint32_t shards;  /* 0, 1: the sentences are learned one after the other; else see learn/shards.c */
    uint32_t threads; /* for shards; 0: one */

    /* Called every few sentences, and once more when a pass is over (seen == examples).
     * False stops the training: what was learned so far stays in the voice. */
    bool (*tell)(void *context, const struct training *training);

    /*
     * Called with every sentence before it is learned from, and the probabilities that the voice gives to its parts.
     * Only learners that need these call it; may be NULL.
     */
    void (*show)(void *context, uint32_t number, const struct example *example, const struct scores *marginal);
    void *context;

    const struct voice_checkpoint *checkpoint; /* NULL: the voice is not saved */
};

/*
 * Learns a voice from a subset of the examples. The caller releases the voice. *stopped says whether tell() ended it
 * early. Time: passes * (scoring + decoding + updates), linear in the words.
 */
bool train_voice(const struct examples *examples, struct subset subset, const struct training_options *options,
                 struct voice *voice, bool *stopped, struct vouch_error *err);

/*
 * These do the same in steps: start a voice from nothing, give it the weights of a model, and learn on from the voice's
 * weights, variances and average. The voice stays the caller's, even after a failure.
 */
bool voice_start(const struct examples *examples, const struct training_options *options, struct voice *voice,
                 struct vouch_error *err);
void voice_resume(struct voice *voice, const struct learner *learner, const struct space *from, const float *mean,
                  const float *var); /* as voice_recall() */
bool train_on(const struct examples *examples, struct subset subset, const struct training_options *options,
              struct voice *voice, bool *stopped, struct vouch_error *err);

#endif
