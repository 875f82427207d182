/*
 * A dataset is sentences to learn from and to measure on, read and encoded, whatever their task: the seam between
 * corpora (corpus.h, judge/judge_gold.c) and everything that learns from them.
 *
 * It has one or two layers, each a set of examples with a space of weights of its own: labels; or arcs, and then the
 * relations of chosen arcs.
 */
#ifndef VOUCH_TRAIN_DATASET_H
#define VOUCH_TRAIN_DATASET_H

#include "core/examples.h"
#include "core/lexicon.h"
#include "core/scheme.h"

#include <jansson.h>

enum { MAX_LAYERS = 2 };

/* The scores of a layer's weights on some sentences, in percent. */
struct layer_score {
    double figure; /* by which models are compared */
    double precision, recall, f1, accuracy;
    bool chunks; /* precision, recall and F1 are defined */
};

/* The sentences of a dataset that a layer is measured on. */
struct test_set {
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
    bool trees; /* the first layer's choices are heads; else labels */
    uint32_t layers;
    struct {
        const char *name;
        struct examples examples; /* to learn from */
        struct examples dev;      /* read beside them to measure on; may be empty */
    } layer[MAX_LAYERS];
    const void *self;
    uint64_t words;                 /* of all sentences to learn from, on whatever rank they are */
    const struct span_rules *rules; /* chunks of the first layer's answers; NULL: it has none */

    /* Answers the sentences of a test set with `weights`, and counts; ranks share them. */
    bool (*measure)(const void *self, const struct test_set *test, const float *weights, struct layer_score *score,
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
     * Makes the examples of the second layer when heads are `head` (of all words, one sentence after the other) instead
     * of gold; NULL unless there are trees. A view; free *owned after it.
     */
    bool (*relations_for_heads)(const void *self, bool dev, const uint32_t *head, struct examples *examples,
                                void **owned, struct vouch_error *err);
};

/* Returns the examples of a layer: to learn from, or those to measure on. */
static inline const struct examples *dataset_examples(const struct dataset *dataset, uint32_t layer, bool dev)
{
    return dev ? &dataset->layer[layer].dev : &dataset->layer[layer].examples;
}

/* Returns the words of all examples that are here. */
static inline size_t dataset_words(const struct dataset *dataset, bool dev)
{
    return dataset->words_before(dataset->self, dev, dataset_examples(dataset, 0, dev)->count);
}

/*
 * Adds what words are called by the gold answers of `count` sentences of a layer, those of `subset` (NULL: the first
 * ones).
 */
bool count_words(const struct dataset *dataset, uint32_t layer, const uint32_t *subset, uint32_t count,
                 struct lexicon *lexicon, struct vouch_error *err);

/* Does so with all examples. If ranks have them, the first one gets the lexicon of all; the others get nothing. */
bool count_all_words(const struct dataset *dataset, uint32_t layer, struct lexicon *lexicon, struct vouch_error *err);

/* Returns a layer's scores: precision, recall and F1 where there are chunks, and accuracy. */
json_t *layer_score_json(const struct layer_score *score);

#endif
