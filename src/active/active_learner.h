/*
 * An active learner is the voices of a dataset while its sentences are being
 * labelled one after the other. It learns anew, learns on, is measured, and
 * gives the confidence of a sentence that it has not learned from.
 */
#ifndef VOUCH_ACTIVE_ACTIVE_LEARNER_H
#define VOUCH_ACTIVE_ACTIVE_LEARNER_H

#include "base/watch.h"
#include "model/confidence_model.h"
#include "train/cross_validation.h"
#include "active/selection.h"

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

/* The name of the strategy that is not a method of confidence: it uses the passes of training alone. */
#define FLUCTUATION_NAME "fluctuation"

/* Fails if sentences cannot be scored like that by this method (NULL: the committee). `name` is for the message. */
bool query_score_suits(const char *name, const struct method *method, enum sentence_score score,
                       struct vouch_error *err);

struct active_learner_plan {
    const struct dataset *dataset;
    const struct trial *trial; /* [voices] the first answers */
    uint32_t voices;
    uint32_t passes;
    uint64_t seed;
    const struct query_strategy *strategy;
    uint32_t draws; /* K of drawn models; 0: as usual */
    const struct noise *noise;
    const struct vouch_watch *watch; /* checked now and then for a request to stop; may be NULL */
};

struct active_learner;
struct active_learner *active_learner_new(const struct active_learner_plan *plan, struct vouch_error *err);
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

#endif
