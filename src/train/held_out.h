/*
 * Makes models that have not learned from the sentences that they judge.
 *
 * The corpus is cut into blocks of neighbouring sentences, which are dealt out to parts in turn; for each part that is
 * held out, every voice of every layer is learned on the rest. Neighbours stay together because they come from one
 * document: a name that is new in a document is new to the model as well, as it will be in other files. If sentences
 * were held out at random, models would know such names from the sentence next door, err less than in use, and be
 * calibrated too sure. For finding errors in the corpus itself, models should have learned as much as they can:
 * `scattered` deals out sentences one by one.
 *
 * With `further` passes, models share what they learn (TreeCV: Joulani, Gyorgy and Szepesvari, "Fast cross-validation
 * for incremental learning", 2015). What no part holds out is learned first, once. Then, as long as a voice holds out
 * several parts, one copy of it goes on with the first half of them, and holds out the others; another copy, with the
 * other half. k of n equal parts cost (n - k)/n + (k/n) log2 k times learning the corpus, instead of k (n - 1)/n times.
 *
 * A copy goes on from the last weights, not from the average, which would hardly change with what is added, and
 * averages what follows.
 *
 * Ranks learn the models of different parts, and keep their own alone; how well labels were learned, all of them know.
 */
#ifndef VOUCH_TRAIN_HELD_OUT_H
#define VOUCH_TRAIN_HELD_OUT_H

#include "train/checkpoint.h"
#include "train/learning.h"

enum { HELD_OUT_LEAST = 8 }; /* sentences in a part */

/* Independent jobs that run alongside; on one thread, before everything else. */
struct side_jobs {
    uint32_t jobs;
    bool (*run)(void *context, uint32_t job, struct vouch_error *err);
    void (*give_up)(void *context, const struct vouch_error *err); /* a voice has failed: jobs should end */
    void *context;
};

/*
 * Returns in how many passes models learn that share what they learn: so many over what none of them holds out, then so
 * many over each half of the rest.
 */
static inline uint32_t shared_passes(uint32_t passes)
{
    return (3 * passes + 4) / 5;
}

/* Which models to make: of the learning that they stand for, passes, parameter search and measuring do not count. */
struct held_out_plan {
    const struct learning *learning; /* NULL: nothing is to be learned */
    uint32_t parts;                  /* the corpus is cut into this many */
    uint32_t held;                   /* this many of them are held out, one after the other; ranks share them */
    uint32_t passes;
    uint32_t further; /* passes over each half that is learned after the rest; 0: every model starts from nothing */
    bool scattered;   /* sentences go to parts one by one, not in blocks */
    bool follow; /* note how well each label is learned, by the first voice that has probabilities; not with `further`
                    passes, in which models learn together, nor with a checkpoint */
    const char *what; /* the name of the step in events */
    struct side_jobs side_jobs;
};

/*
 * How well a given choice was learned: taken each time that its sentence was learned from, as the mean of all passes
 * and models.
 */
struct followed {
    float probability;
    float margin; /* its probability less that of the best other choice */
};

/* Sentences, and a model that did not learn from them. */
struct held_part {
    struct model_layer layer[MAX_LAYERS]; /* without voices if the part is another rank's */
    uint32_t *sentence;                   /* [count] */
    uint32_t count;
    struct answer_counts held[MAX_LAYERS]; /* of these sentences: what the layers' counts leave out */
    struct followed *learned[MAX_LAYERS];  /* [words] of this part's models alone, in sum */
};

struct held_out {
    const struct dataset *dataset;
    bool dev;               /* the sentences are the dataset's dev */
    struct held_part *part; /* [parts] */
    uint32_t parts, layers;
    bool owns;                            /* the weights */
    const struct ranks *ranks;            /* whose parts these are, in turn; NULL: there are none */
    struct followed *learned[MAX_LAYERS]; /* [words]; NULL: not wanted */
};

bool held_out_learn(struct held_out *held, const struct held_out_plan *plan, struct vouch_error *err);

/*
 * Makes the parts' counts, for the committee: those of `layer` [layers], which has learned all sentences and must be
 * kept, without the part's own. Does nothing where a development set is held out, whose model has its own.
 */
bool held_out_counts(struct held_out *held, const struct model_layer *layer, uint32_t threads, struct vouch_error *err);

/* Takes the dataset's dev sentences, and a model that is there already. */
bool held_out_dev(struct held_out *held, const struct dataset *dataset, const struct model_layer *layer,
                  struct vouch_error *err);

void held_out_release(struct held_out *held);

#endif
