/*
 * Makes sentences look to the model as if they came from other text, where it knows less of their words.
 *
 * Two kinds of loss are simulated. Features are forgotten, wherever they occur, and so are words, like those that
 * training never saw; features and words that are frequent enough to be in any text stay. And words are mistaken for
 * others of their sentence, with all of their features. The first costs a model its certainty; the second leaves it
 * sure and wrong. A word that is forgotten keeps its vector, if words have vectors: they come from elsewhere, whatever
 * training saw. What is lost is a function of the seed and of the feature, word or place. A feature is told by its
 * name, not by its number, which saving changes: a model is calibrated alike while it is trained and from its file.
 * What a first stage says (task/stacked_arcs.h) is a sum over features that are not there any more: a word that is
 * mistaken has the other's, and as large a share of it is lost as of features.
 */
#ifndef VOUCH_TRAIN_LOSSES_H
#define VOUCH_TRAIN_LOSSES_H

#include "train/held_out.h"

/* Counts of what is common in held-out sentences. */
struct losses {
    uint64_t seed;
    uint32_t *name;  /* [nodes, then edges] what each feature is; NULL: its number is for good */
    uint32_t *seen;  /* [nodes] in how many rows each feature occurs */
    uint32_t *named; /* [NAMED] in how many words each name occurs, by the name's remainder */
    uint64_t rows, words;
};

/* Begins with nothing counted. Release in any case. */
bool losses_init(struct losses *losses, const struct dataset *dataset, uint64_t seed, struct vouch_error *err);

/* Shares, from 0 to 1, of what is lost. */
struct loss {
    double forgotten;     /* features, and words */
    double mistaken;      /* words */
    const uint32_t *gold; /* [N] words are mistaken for words with another choice, if there are any; NULL: for any */
};

/* Memory for one sentence; zero it before first use. */
struct lossy {
    uint32_t *start, *feature, *name;
    float *value, *vector, *offset;
    size_t start_capacity, feature_capacity, name_capacity, value_capacity, vector_capacity, offset_capacity;
};

/* Counts what occurs in one of `every` sentences of a part, whatever was counted before. */
bool losses_survey(struct losses *losses, const struct held_part *part, const struct examples *examples, uint32_t every,
                   uint32_t threads, struct vouch_error *err);
void losses_release(struct losses *losses);

/* Whether losses can be simulated in the parts: they have rows of features. */
bool losses_apply_to(const struct parts *parts);

/* Takes away what is lost from the parts of sentence number `i`. They then point into `lossy`. */
bool losses_take(const struct losses *losses, const struct loss *loss, uint32_t i, struct lossy *lossy,
                 struct parts *parts, struct vouch_error *err);
void lossy_release(struct lossy *lossy);

#endif
