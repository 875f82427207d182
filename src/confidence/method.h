/*
 * This is the seam of confidence: a method makes numbers of evidence.
 *
 * There is one for every word, for every chunk of the answer, and for the
 * sentence as a whole: the larger, the likelier right. Raw numbers only rank,
 * whatever their range; calibrate.h makes probabilities of them.
 */
#ifndef VOUCH_CONFIDENCE_METHOD_H
#define VOUCH_CONFIDENCE_METHOD_H

#include "confidence/evidence.h"
#include "core/span_rules.h"

struct method {
    const char *name;
    const char *summary; /* one line */
    const char *formula;
    const char *cost;
    const char *use;    /* when to use it */
    const char *params; /* which parameters it has: some of "K", "s", "c" */
    unsigned looks;     /* the evidence that it needs */
    bool variance;      /* only for voices that have variances of their weights */
    bool sets;          /* only for several sets of scores from elsewhere */
    bool bounded;       /* numbers from 0 to 1; else margins, from 0 up */

    /* The answers whose votes are counted; NULL: the method does not count votes. */
    struct answers (*ballot)(const struct evidence *evidence);

    /* Numbers of all words. */
    void (*words)(const struct method *self, const struct evidence *evidence, double *confidence /* [N] */);

    /* The number of one chunk. */
    bool (*span)(const struct method *self, struct evidence *evidence, const struct span_rules *rules,
                 struct extent span, double *confidence, struct vouch_error *err);

    /* The number of the whole answer: a share of draws or answers, a joint probability; NULL: it has none. */
    double (*whole)(const struct method *self, const struct evidence *evidence);
};

/* All methods but the committee, which uses several voices: see committee.h. */
extern const struct method *const methods[]; /* the last is NULL */
const struct method *method_find(const char *name, size_t length);

/* Returns the smallest of the words' numbers: the paper's confidence of a sentence. 1 if there are none. */
double smallest(const double *confidence, uint32_t from, uint32_t to);

/* Return the share of the answers that have the word's choice, the chunk, or everything. */
double share_of_word(const struct answers *answers, const uint32_t *choice, uint32_t N, uint32_t word);
double share_of_span(const struct answers *answers, const uint32_t *choice, uint32_t N, const struct span_rules *rules,
                     struct extent span);
double share_of_whole(const struct answers *answers, const uint32_t *choice, uint32_t N);

/*
 * Finds the probability that an answer has a chunk of just these words and of this type, a number of rules->type, by
 * the voice's marginals: gamma's for any chunk, be it the answer's or not. After LOOK_MARGINALS.
 */
bool marginal_of_chunk(struct evidence *evidence, const struct span_rules *rules, struct extent span, uint32_t type,
                       double *probability, struct vouch_error *err);

extern const struct method delta_method, gamma_method, kb_method, wkb_method, kd_fix_method, kd_pc_method,
    kd_fix_delta_method, kd_pc_delta_method, votes_method, votes_delta_method, random_method;

#endif
