/*
 * An active learner is the voices of a dataset while its sentences are being
 * labelled one after the other. It learns anew, learns on, is measured, and
 * gives the confidence of a sentence that it has not learned from.
 */
#ifndef VOUCH_SIMULATION_ACTIVE_LEARNER_H
#define VOUCH_SIMULATION_ACTIVE_LEARNER_H

#include "model/confidence_model.h"
#include "train/cross_validation.h"
#include "active/next_sentences.h"

/* How sentences are scored to choose among them. */
struct query_strategy {
    char name[METHOD_NAME + 16]; /* as given by the user */
    const struct method *method; /* NULL: the committee, or fluctuation */
    uint32_t voice;
    enum sentence_score score;
    bool fluctuation; /* no method at all, but how steady the first voice's answers were */
};

/* Whether sentences are scored by the committee. */
static inline bool query_strategy_is_committee(const struct query_strategy *strategy)
{
    return !strategy->method && !strategy->fluctuation;
}

/* Whether sentences are taken as they come. */
static inline bool query_strategy_is_random(const struct query_strategy *strategy)
{
    return strategy->method == &random_method;
}

/* Fills in what query_strategy_parse() needs of voices that have not learned: names, and whether `var` is NULL. */
void query_strategy_voices(struct model_layer *layer, const struct trial *trial, uint32_t voices);

/*
 * Parses "kd-fix", "gamma@crf/mean", "fluctuation", ...: a method of confidence over the voices in `layer`, of which
 * only names and whether there are variances are looked at.
 */
bool query_strategy_parse(struct query_strategy *strategy, const char *name, const struct model_layer *layer,
                          struct vouch_error *err);

/* What is simulated; the watch of the options is told VOUCH_EVENT_ROUNDS, from one thread at a time. */
struct active_plan {
    struct active_options options; /* those of choosing and of a simulation; choose is at most candidates */
    const struct dataset *dataset; /* examples to choose from, dev sentences to measure on */
    const struct trial *trial;     /* [voices] */
    uint32_t voices;
    const struct query_strategy *strategy; /* [strategies] the ways of choosing to compare */
    uint32_t strategies;
    struct labelling_cost cost;
};

struct active_learner;
/* Makes a learner that is asked by one strategy; `noise` is needed if that draws models. The plan is copied. */
struct active_learner *active_learner_new(const struct active_plan *plan, const struct query_strategy *strategy,
                                          uint64_t seed, const struct noise *noise, struct vouch_error *err);
void active_learner_free(struct active_learner *learner);

/*
 * Learns from nothing, on these examples. Of the voices, only the first and those that the strategy uses learn; of a
 * second layer, the first.
 */
bool active_learner_learn(struct active_learner *learner, const uint32_t *example, uint32_t count,
                          struct vouch_error *err);

/*
 * Learns on, from some more examples: the first layer alone, whose answers are scored. It begins with averaged weights
 * and does not average again: an average would hide a few steps after thousands. A prior, which was applied when it
 * learned anew, is not applied again.
 */
bool active_learner_learn_on(struct active_learner *learner, const uint32_t *example, uint32_t count,
                             struct vouch_error *err);

/*
 * Measures it on the dataset's dev sentences, in percent: the first layer's figure; with two layers, the share of words
 * both of whose answers are right.
 */
bool active_learner_measure(struct active_learner *learner, double *figure, struct vouch_error *err);

/*
 * Counts the changes that labelling example i takes: the chunks to mark; where labels spell none, the labels or heads
 * that the learner gets wrong and that must be corrected, which are all of them before it has learned.
 */
bool active_learner_changes(struct active_learner *learner, uint32_t i, uint32_t *changes, struct vouch_error *err);

/* Finds how sure the learner is of the labels, or heads, of example i. */
bool active_learner_ask(struct active_learner *learner, uint32_t i, double *number, struct vouch_error *err);

/* Returns the weights of a voice, as they answer: for tests. */
const struct voice *active_learner_voice(const struct active_learner *learner, uint32_t layer, uint32_t voice);

/*
 * Fluctuation measures how steady a voice's answers were while it learned.
 *
 * The weights are kept as they are after every pass, and a sentence is answered by each. A word's steadiness is the
 * share of passes, after the first, in which its choice stayed what it was in the pass before. Answers change back and
 * forth where the examples so far do not settle them. (These are the forgetting events of Toneva et al. 2019, without
 * the labels that those need.)
 *
 * Memory: all weights, once for each pass. Time: one answer for each pass. Zero it before first use.
 */
struct fluctuation {
    float *weights; /* [passes][size] */
    size_t size, capacity;
    uint32_t passes;
    struct answering work;
};
void fluctuation_release(struct fluctuation *fluctuation);

/* Forgets what was kept, and makes room for that many passes over `size` weights, slack included. */
bool fluctuation_begin(struct fluctuation *fluctuation, size_t size, uint32_t passes, struct vouch_error *err);

/* Keeps the weights of one more pass, for which there must be room. */
void fluctuation_keep(struct fluctuation *fluctuation, const float *weights);

/* Finds how steady each word was, from 0 to 1; all are 1 if fewer than two passes were kept. */
bool fluctuation_words(struct fluctuation *fluctuation, const struct examples *examples, const struct parts *parts,
                       double *steady /* [N] */, struct vouch_error *err);

#endif
