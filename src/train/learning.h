/*
 * What to learn, and how: the options of learning, checked once, and read by all that learn (the voices of a model,
 * held-out models, trials of parameters, folds).
 */
#ifndef VOUCH_TRAIN_LEARNING_H
#define VOUCH_TRAIN_LEARNING_H

#include "base/work.h"
#include "learn/learn.h"
#include "options/rows.h"
#include "train/corpus.h"

/* A learner with its parameters. */
struct trial {
    const struct learner *learner;
    struct learner_options parameters;
};

struct learning {
    struct corpus_plan corpus;                  /* how to read the files */
    const struct dataset *dataset;              /* what was read; set it before learning */
    struct trial trial[MAX_LAYERS][MAX_VOICES]; /* of each voice of each layer */
    uint32_t voices;
    uint32_t passes;
    uint32_t shards; /* of learn/shards.c; 0, 1: none */
    bool staged;     /* the examples have answers of a first stage, cross-fitted (cross_fitting.h) */
    bool tune;       /* first choose a parameter of every voice */
    bool measure;    /* on the dataset's dev, after every pass */
    bool best_pass;  /* keep the pass that does best there, not the last */
    struct work work;
    struct checkpoint *checkpoint; /* where voices are kept after every pass; NULL: nowhere */
    char *template_text;           /* of --template, or of a built-in set with lexicons */
    struct lexicons *lexicons;     /* of --lexicon; NULL: there are none */
};

/*
 * Checks the options; `separator` separates algorithms. A wrong option is VOUCH_ERR_ARGUMENT. Release in any case.
 */
bool learning_prepare(struct learning *learning, const struct learner_values *values,
                      const struct reading_values *reading, const struct work *work, char separator,
                      struct vouch_error *err);
void learning_release(struct learning *learning);

/* Returns the place of a parameter by the name of its option, which the trial's learner must have. */
double *trial_parameter(struct trial *trial, const char *name);

/* Adds the parameters that the learner reads to `record`, as a model's header keeps them. */
void trial_describe(const struct trial *trial, json_t *record);

/*
 * Sets the parameters that `record` has, except those that the options of training give; parameters that are in neither
 * stay as they are. A record may come from a damaged file: values are bounded as options are.
 */
bool trial_recall(struct trial *trial, const json_t *record, const void *options, struct vouch_error *err);

/* Whether what is learned can be a first stage, whose probabilities the second needs. */
static inline bool can_be_first(const struct learning *learning)
{
    return learning->voices == 1 && learning->trial[0][0].learner == &log_likelihood;
}

/* Whether ranks learn every model together: one after the other, then, each on all threads. */
static inline bool learns_together(const struct learning *learning)
{
    return learning->dataset->layer[0].examples.own.ranks != NULL;
}

/* Returns the ranks that have different models to learn; NULL if there are none, or if they learn together. */
static inline const struct ranks *ranks_apart(const struct learning *learning)
{
    return learns_together(learning) ? NULL : learning->work.ranks;
}

/*
 * Returns how a voice is learned: by the trial, as the plan says otherwise. Models of which several are learned at the
 * same time have a thread each, unless ranks learn them together.
 */
struct training_options learning_options(const struct learning *learning, const struct trial *trial, uint32_t passes,
                                         bool one_of_several);

#endif
