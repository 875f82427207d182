/*
 * A dataset is a corpus to learn from, read and encoded, whatever its task.
 *
 * It has one or two layers, each a set of examples with a space of weights of its own: labels; or arcs, and then the
 * relations of given arcs. Learning, tuning and cross-validation see datasets only.
 */
#ifndef VOUCH_TRAIN_DATASET_H
#define VOUCH_TRAIN_DATASET_H

#include "core/examples.h"
#include "core/span_rules.h"

enum { MAX_LAYERS = 2 };

/* The scores of a layer's weights on some sentences, in percent. */
struct layer_score {
    double figure; /* by which models are compared */
    double precision, recall, f1, accuracy;
    bool chunks; /* precision, recall and F1 are defined */
};

/* The sentences of a dataset that a layer is measured on. */
struct portion {
    uint32_t layer;
    bool dev;             /* all of the development sentences; the subset is ignored */
    struct subset subset; /* of those to learn from */
};

/* An answer to one example of a layer. */
struct example_answer {
    uint32_t layer;
    bool dev; /* whether the example is one of those read to measure on */
    uint32_t number;
    const uint32_t *choice; /* [N] */
};

struct dataset {
    uint32_t layers;
    struct {
        const char *name;
        struct examples examples; /* to learn from */
        struct examples dev;      /* read beside them to measure on; may be empty */
    } layer[MAX_LAYERS];
    const void *self;
    uint64_t words;                 /* of all sentences to learn from, on whatever rank they are */
    const struct span_rules *rules; /* chunks of the first layer's answers; NULL: it has none */

    /* Answers the sentences of a portion with `weights`, and counts; ranks share them. */
    bool (*measure)(const void *self, const struct portion *portion, const float *weights, struct layer_score *score,
                    struct vouch_error *err);

    /* Finds which words of an answer are right, in the corpus's own spelling. */
    bool (*compare)(const void *self, const struct example_answer *answer, bool *right /* [N] */,
                    struct vouch_error *err);

    /*
     * Returns how many words come before those of example i; for i = count, the words of all examples. Only the
     * examples that are here count.
     */
    size_t (*words_before)(const void *self, bool dev, uint32_t i);

    /* Returns how many words example i has, which must be here. */
    uint32_t (*words_of)(const void *self, bool dev, uint32_t i);

    /*
     * Makes the examples of the second layer when the first one's answers are `choice` (of all words, one sentence
     * after the other) instead of gold. A view; free *owned after it.
     */
    bool (*given)(const void *self, bool dev, const uint32_t *choice, struct examples *examples, void **owned,
                  struct vouch_error *err);
};

#endif
