/*
 * Parts are what the model can score one by one. The kernel here scores them.
 *
 * A group of parts is a row of sparse features. Feature f owns a block of `width` consecutive weights, one for each
 * part of the group, so one load feeds all labels. Edges between neighbours have features of their own, whose blocks
 * are width * width.
 *
 * All weights of a model form one flat array: the node blocks, then the edge blocks, then SLACK floats that may be read
 * and are never used, so that the kernel can load whole vectors. Blocks are not padded: what is read past the end of a
 * block are weights of the next one, in lanes that are ignored, while 9 labels padded to 12 would take a third more
 * cache.
 */
#ifndef VOUCH_CORE_PARTS_H
#define VOUCH_CORE_PARTS_H

#include "core/dense.h"
#include "core/scores.h"
#include "core/transitions.h"

#define SLACK 16

#define MAX_WIDTH 65535 /* parts in a group: its square still fits 32 bits */

/* The layout of a model's weights. */
struct space {
    uint32_t width; /* parts in a group: labels Y, or relations R */
    uint32_t nodes; /* node features */
    uint32_t edges; /* edge features */
};

static inline size_t space_node(const struct space *s, uint32_t feature)
{
    return (size_t)feature * s->width;
}

static inline size_t space_edge(const struct space *s, uint32_t feature)
{
    return (size_t)s->nodes * s->width + (size_t)feature * s->width * s->width;
}

/* Returns the number of weights, without the slack. */
static inline size_t space_size(const struct space *s)
{
    return space_edge(s, s->edges);
}

/* Sparse rows: the features of group g are feature[start[g]] .. feature[start[g+1]-1]. */
struct rows {
    uint32_t count;
    const uint32_t *start;   /* [count + 1] */
    const uint32_t *feature; /* [start[count]] */
    const float *value;      /* [start[count]], or NULL: all 1 */
};

/* The words as hashes, so that counts of answers (core/answer_counts.h) need no strings. */
struct word_names {
    const uint32_t *name; /* [N][stride]; NULL: the words are unknown */
    uint32_t stride;
    bool heads; /* a choice is another word, and names are form, lemma, tag, fine tag; else a label: form, lower case */
};

/*
 * Weights as a finished model has them: multiples of a power of two. Sums of them are exact, so they are the same in
 * any order, as integers, too.
 */
struct weight_steps {
    const int16_t *steps; /* [space + SLACK], the slack 0; weight i is steps[i] * step; NULL: the weights are not so */
    float step;
};

/* One sentence, as the model sees it. A view: the arrays are owned elsewhere. */
struct parts {
    uint32_t N;       /* words */
    struct rows node; /* one row for each group; see parts_rows() */
    struct rows edge; /* none, one for all positions, or one for each pair of neighbours */
    /* Features with values beside those of `node`, which has none of their numbers: one group is then one word. */
    struct dense dense;
    /*
     * Makes some rows of `node` from row `from` on, at least one and none beyond `to`, where they are too many to be
     * there at once: `node` then has only their number. NULL: they are there.
     */
    void (*make)(void *maker, uint32_t from, uint32_t to, struct rows *rows);
    /* Makes the scores of all rows at once, as parts_score() would; NULL: it cannot. */
    void (*sum)(void *maker, const struct weight_steps *weights, float *score);
    void *maker;         /* of rows and sums */
    const float *offset; /* [groups of node] added to the scores of groups of one part; NULL: nothing is */
    /* Scores from elsewhere, in place of features: `node` and `edge` then have only the numbers of rows. */
    const struct score_sets *score_source;
    const uint32_t *known; /* [N] choices that answers must have, or OPEN_CHOICE; NULL: they may have any */
    const struct transitions *transitions; /* those that answers may have, of labels; NULL: any */
    struct word_names names;
};

/* Returns the parts of a sentence whose scores come from elsewhere: a view of them. */
static inline struct parts parts_from_scores(const struct score_sets *source)
{
    const struct scores *mean = &source->mean;
    return (struct parts){.N = mean->N, .node = {.count = mean->G}, .edge = {.count = mean->E}, .score_source = source};
}

/*
 * Returns rows of `node` from row `from` on, as many as are available at once, up to `to`. Valid until the next call.
 */
static inline struct rows parts_rows(const struct parts *parts, uint32_t from, uint32_t to)
{
    const struct rows *all = &parts->node;
    struct rows rows = {to - from, all->start ? all->start + from : NULL, all->feature, all->value};
    if (parts->make)
        parts->make(parts->maker, from, to, &rows);
    return rows;
}

/*
 * Makes score[g][j] = sum over the features f of row g of value * weight[f][j], then adds the sum over dense ones.
 * Shapes `scores` and fills it. Time: features * width. Where scores come from elsewhere,
 * they are the mean of their sets, whatever the weights. Where choices are known, the others are -inf, and so are
 * transitions that answers may not have.
 */
bool parts_score(const struct parts *parts, const struct space *space, const float *weight, struct scores *scores,
                 struct vouch_error *err);

/* From now on, answers have allowed transitions alone, if there are any; a chain without edges gets an empty row. */
void parts_restrict(struct parts *parts, const struct transitions *transitions);

/* Does what parts_score() does, for weights which `steps` has, too, if it has any: to the last bit, in less time. */
bool parts_score_steps(const struct parts *parts, const struct space *space, const float *weight,
                       const struct weight_steps *steps, struct scores *scores, struct vouch_error *err);

#endif
