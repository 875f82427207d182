/*
 * A difference vector is a sum over parts of a coefficient times the part's features.
 *
 * It is gold minus predicted for the large-margin learners, gold minus marginals for log-likelihood: one piece of code
 * makes them all, for every structure. The vector is sparse by blocks. It has one or more lanes: K-best learners get
 * the K difference vectors of a sentence as lanes over one set of blocks, so that their inner products are loops over
 * short arrays.
 */
#ifndef VOUCH_CORE_DIFF_H
#define VOUCH_CORE_DIFF_H

#include "core/parts.h"

enum { DIFF_STEP = 4 }; /* coefficients of wide blocks are padded with zeros to a multiple of so many */

/* The blocks of one kind of rows. */
struct blocks {
    uint32_t width;  /* weights of a block */
    uint32_t stride; /* its coefficients: as many, or some zeros more */
    uint32_t words;  /* of its mask in a lane; 0 for blocks of one weight, which have none */
    size_t at;       /* where the weights of feature 0 start */
    uint32_t count;
    uint32_t *feature; /* [count] in the order in which they came */
    uint32_t *slot;    /* [features] 1 + block of each, 0 if it has none */

    /* Coefficients: a vector for each block of one weight, else fewer, as blocks share them. */
    uint32_t vectors;
    uint32_t *vector; /* [count] of each block */
    uint32_t *owner;  /* [vectors] the row whose coefficients these are, NO_ROW if they are one block's own */
    uint32_t *of_row; /* [rows] 1 + vector of each, 0 if it has none */
    float *coef;      /* [vectors][lanes][stride] */
    uint64_t *mask;   /* [vectors][lanes][words] bit j is set where coefficient j may not be zero */
    size_t feature_capacity, vector_capacity, owner_capacity, row_capacity, coef_capacity, mask_capacity;
};

struct diff {
    uint32_t lanes;
    struct blocks kind[2]; /* of nodes and of edges */
    uint64_t *mask;        /* scratch: the coefficients of a row that are not zero */
    float *padded;         /* scratch: the coefficients of a row, as many as a block of nodes has */
};

bool diff_init(struct diff *diff, const struct space *space, struct vouch_error *err);
void diff_release(struct diff *diff);

/* Empties the vector and gives it `lanes` lanes. */
void diff_clear(struct diff *diff, uint32_t lanes);

/*
 * Adds `coefficient` (shaped like the scores of `parts`) to lane `lane`; rows of zeros cost nothing. All lanes of a
 * vector are of one sentence, and `parts` the same until it is emptied.
 */
bool diff_add(struct diff *diff, uint32_t lane, const struct parts *parts, const struct scores *coefficient,
              struct vouch_error *err);

/* Does the same where all rows but those listed are zero. */
bool diff_add_some(struct diff *diff, uint32_t lane, const struct parts *parts, const struct scores *coefficient,
                   const struct contrast *rows, struct vouch_error *err);

/* Goes through all blocks: the head of a loop over block number `b` of `blocks`. */
#define FOR_BLOCKS(diff, blocks, b)                                                                                    \
    for (const struct blocks *blocks = (diff)->kind; blocks < (diff)->kind + 2; blocks++)                              \
        for (uint32_t b = 0; b < blocks->count; b++)

/* Returns where the weights of block b start. */
static inline size_t block_at(const struct blocks *blocks, uint32_t b)
{
    return blocks->at + (size_t)blocks->feature[b] * blocks->width;
}

/* Makes gram[a][b] = lane a . lane b, for all lanes. */
void diff_gram(const struct diff *diff, double *gram /* [lanes][lanes] */);

/* One coefficient, and the weight that it belongs to. */
struct entry {
    size_t at;
    float coef;
};

/* Lists the coefficients of a lane that are not zero, in `list`, and returns how many; there are at most
 * diff_size(). */
size_t diff_entries(const struct diff *diff, uint32_t lane, struct entry *list);

/* Returns weight . list. */
double entries_dot(const struct entry *entry, size_t count, const float *weight);

/* Returns the number of coefficients of a lane. */
static inline size_t diff_size(const struct diff *diff)
{
    return (size_t)diff->kind[0].count * diff->kind[0].stride + (size_t)diff->kind[1].count * diff->kind[1].stride;
}

/* Whether there is a coefficient in a step that is not zero. */
static inline bool any_in_step(const float *coef)
{
    return coef[0] != 0 || coef[1] != 0 || coef[2] != 0 || coef[3] != 0;
}

#endif
