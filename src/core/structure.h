/*
 * This is the seam of structures: decoding, as pure functions of score arrays.
 *
 * A structure assigns one choice to every word, jointly constrained: a label, or a head with its relation. Everything
 * after decoding sees choices only. Working memory belongs to the caller, one `scratch` for each thread, and only
 * grows.
 *
 * Ties are broken by a fixed rule, given in each file: the same scores give the same answer everywhere.
 */
#ifndef VOUCH_CORE_STRUCTURE_H
#define VOUCH_CORE_STRUCTURE_H

#include "core/lanes.h"
#include "core/scores.h"

/* One block of bytes that grows; a decoder lays out its arrays in it. */
struct scratch {
    char *bytes;
    size_t capacity;
};

/* The best answer in which a word has a given choice, beside the best of all. */
struct rival {
    double behind; /* how far its score lies behind that of the best answer of all */
    double answer; /* the variance of the best answer's parts where the two differ, */
    double own;    /* and of its own */
};

/* Words from .. to - 1 of which rivals are to be found; the others keep the best answer's choices. */
struct rival_query {
    const struct scores *scores, *variance; /* the variance has that of every part's noise in the place of its score */
    const uint32_t *choice;                 /* [N] the best answer */
    uint32_t from, to;
};

struct structure {
    const char *name;

    /* Finds the best choice of all; *score becomes its score. */
    bool (*best)(const struct scores *scores, struct scratch *scratch, uint32_t *choice /* [N] */, double *score,
                 struct vouch_error *err);

    /* Finds the K best distinct choices, best first; *found of them, fewer than K only if no more exist. */
    bool (*kbest)(const struct scores *scores, uint32_t K, struct scratch *scratch, uint32_t *choice /* [K][N] */,
                  double *score /* [K] */, uint32_t *found, struct vouch_error *err);

    /*
     * Computes the probability of every part under p(choice) proportional to exp(scale * score), in `marginal` (shaped
     * by the callee: node [G][width]; edge summed over positions where the block is shared); log of the normaliser in
     * *log_z.
     */
    bool (*marginals)(const struct scores *scores, double scale, struct scratch *scratch, struct scores *marginal,
                      double *log_z, struct vouch_error *err);

    /*
     * Computes the probability that words n - 1 and n have choices l and r, in pairs[l][r]; for n = 0, that the first
     * word has r, in pairs[0][r]. It is for the last marginals() made in `scratch`, whose scores must still be there.
     * Given its neighbour, a word's choice does not depend on words beyond it, so these are all that chunks need. NULL:
     * words have no such neighbours.
     */
    void (*neighbours)(const struct scratch *scratch, uint32_t n, double *pairs /* [width][width] */);

    /*
     * Finds, for every word, the score of the best answer in which its choice is another than in `choice`, which must
     * be best()'s; -inf if there is none. It is what margins need, in place of the max-marginals of all parts: chains
     * get it from these, and trees can give it exactly and fast.
     */
    bool (*without)(const struct scores *scores, const uint32_t *choice, struct scratch *scratch,
                    double *score /* [N] */, struct vouch_error *err);

    /* Finds the best choice under each of the K draws. */
    bool (*draws)(struct lanes *lanes, struct scratch *scratch, uint32_t *choice /* [K][N] */, struct vouch_error *err);

    /* Finds the best answer with each choice of each word of the query. NULL: not for this one. */
    bool (*rivals)(const struct rival_query *query, struct scratch *scratch,
                   struct rival *rival /* [to - from][width] */, struct vouch_error *err);

    /* Adds `by` to the coefficient of every part that is on in `choice`. */
    void (*mark)(const uint32_t *choice, float by, struct scores *coefficient);

    /*
     * Adds 1 to the coefficient of every part that is on in `gold`, -1 to those that are on in `choice`, where the two
     * differ; `rows` becomes the rows that these are in.
     */
    void (*contrast)(const uint32_t *gold, const uint32_t *choice, struct scores *coefficient, struct contrast *rows);

    /* Returns the score of `choice`, summed in the order in which the decoders do. */
    double (*score)(const struct scores *scores, const uint32_t *choice);
};

/* Makes room for `bytes` bytes, aligned as malloc aligns; the contents are undefined. */
static inline bool scratch_reserve(struct scratch *scratch, size_t bytes, struct vouch_error *err)
{
    return RESERVE(scratch->bytes, scratch->capacity, bytes, err);
}

static inline void scratch_release(struct scratch *scratch)
{
    free(scratch->bytes);
    *scratch = (struct scratch){0};
}

#endif
