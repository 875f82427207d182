/*
 * Declares the learners, and the loop that feeds them.
 */
#ifndef VOUCH_LEARN_LEARN_H
#define VOUCH_LEARN_LEARN_H

#include "core/examples.h"
#include "core/learner.h"
#include "learn/keeper.h"

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
    double loss;             /* this pass: the share of wrong words, or nats for each word for log-likelihood */
    const struct voice *voice;
};

struct training_options {
    const struct learner *learner;
    struct learner_options parameters;
    uint32_t passes;
    uint64_t seed;
    uint32_t shards;  /* 0, 1: the sentences are learned one after the other; else see learn/shards.h */
    uint32_t threads; /* for shards; 0: one */

    /* Called every few sentences, and once more when a pass is over (seen == examples).
     * False stops the training: what was learned so far stays in the voice. */
    bool (*tell)(void *context, const struct training *training);

    /*
     * Called with every sentence before it is learned from, and the
     * probabilities that the voice gives to its parts. Only learners that need
     * these call it; may be NULL.
     */
    void (*show)(void *context, uint32_t number, const struct example *example, const struct scores *marginal);
    void *context;

    const struct lesson_keeper *keeper; /* keeps the voice after every pass; NULL: none does */
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
