/*
 * Counts how often sets of choices hold the right one, and how large they are.
 */
#ifndef VOUCH_EVAL_COVERAGE_TALLY_H
#define VOUCH_EVAL_COVERAGE_TALLY_H

#include "measure/clustered.h"
#include "answer/predictor.h"

#include <jansson.h>

/* Words have sets of labels or heads; chunks of the answer have sets of readings. */
enum covered { COVERED_WORDS, COVERED_CHUNKS, COVERED };

/* A sentence with its truth: labels in the corpus's spelling, or heads. */
struct covered_sentence {
    uint32_t N;
    const struct text *gold;   /* [N] labels; not looked at in trees */
    const uint32_t *gold_head; /* [N]; NULL if the model labels */
    const struct answer *answer;
};

/* Returns the number of things in a sentence that have sets. */
uint32_t covered_count(const struct covered_sentence *sentence, enum covered what);

/*
 * Returns the probability of the right choice of thing i in its set; NAN if it is not in the set. *answered says
 * whether it is the answer's. The right reading of a chunk is the type that gold has for just these words, or O if it
 * has none.
 */
double covered_truth(const struct covered_sentence *sentence, enum covered what, uint32_t i, bool *answered);

/* Counts over sentences. Zero it before first use. */
struct coverage_tally {
    struct clustered covered[COVERED];
    double shares[COVERED];  /* the sum over sentences of the share that is covered, */
    double choices[COVERED]; /* of sizes, */
    double single[COVERED];  /* and of sets of one */
};
void coverage_tally_add(struct coverage_tally *tally, const struct covered_sentence *sentence);

/* The figures that were counted; shares are in percent. */
struct coverage_figures {
    double sentences, count;
    double by_sentence;      /* the mean of the sentences' shares, which is the figure that is promised */
    double share, low, high; /* of all, and its interval of 90 percent, by sentences */
    double size, single;     /* the mean size of a set; the share of sets of one choice */
};
struct coverage_figures coverage_figures(const struct coverage_tally *tally, enum covered what);

/* Returns all figures; NULL if there is no memory. */
json_t *coverage_tally_json(const struct coverage_tally *tally, bool trees);

extern const char *const covered_names[COVERED]; /* "words", "chunks" */

#endif
