/*
 * Selection: which sentences to label next, the least sure first.
 *
 * A sentence is as sure as its least sure word (Mejer and Crammer, section on
 * active learning), or as its words are in the mean, or as many drawn models
 * agree with the whole of its answer. A long sentence has a less sure word than
 * a short one for no other reason than its length: the least of N numbers that
 * are spread evenly from 0 to 1 is 1 / (N + 1) in expectation, and the least
 * word can be divided by that. Or it comes the sooner the more chunks
 * are expected in it: most sentences of rare entities have none to learn from
 * (Kohl et al. 2024 found it among the best of many ways). Among equals the shorter one comes
 * first, a larger share of whose words is then worth labelling; then the one
 * that was read first.
 */
#ifndef VOUCH_USE_SELECTION_H
#define VOUCH_USE_SELECTION_H

#include "base/memory.h"

#include <stdint.h>

enum sentence_score {
    SCORE_LEAST,    /* the least of its words */
    SCORE_MEAN,     /* their mean: does not favour long sentences */
    SCORE_LENGTH,   /* their least, beside what is usual of so many words */
    SCORE_BALD,     /* the share of drawn models that agree in everything */
    SCORE_ENTITIES, /* the expected number of its chunks: the more, the sooner */
    SCORE_DENSITY   /* that number, a word */
};

/* Whether it is the expected number of chunks that counts. */
static inline bool score_counts_chunks(enum sentence_score score)
{
    return score == SCORE_ENTITIES || score == SCORE_DENSITY;
}

/* The ways to use a method's numbers, as they are written behind its name: for messages. */
#define SCORE_NAMES "/mean, /length, /bald, /entities or /density"

/* Splits "kd-fix/mean" into a method's name, at most `room` bytes with its end, and how it is used. */
bool score_parse(const char *name, char *method, size_t room, enum sentence_score *score, struct vouch_error *err);

/* What the words of a sentence say, gathered one by one. Zero it first. */
struct sureness {
    double least, sum;
    uint32_t words;
    double chunks;
    uint32_t places;
};

/* A word whose number is NAN or infinite, because it has no other choice, says nothing. */
void sureness_add(struct sureness *sureness, double number);

/* A word at which a chunk begins with this probability. */
void sureness_add_start(struct sureness *sureness, double start);

/*
 * Their least, also times one more than their number, or their mean; infinity if there was nothing to be unsure of. The
 * expected number of chunks is negated: the smaller, the sooner.
 */
double sureness_of(const struct sureness *sureness, enum sentence_score score);

struct candidate {
    double number; /* the smaller, the sooner */
    uint32_t words;
    uint32_t index;
};

/* Whether `a` comes before `b`; no two of different index are equal. */
bool candidate_before(const struct candidate *a, const struct candidate *b);
void candidates_rank(struct candidate *candidate, size_t count);

/* Different numbers in ascending order: the features of a sentence, or hashes of its words. Zero it before first use.
 */
struct number_set {
    uint32_t *item; /* [count] */
    size_t count, capacity;
};

/* Copies `count` numbers, sorts them and drops repetitions. O(n log n). */
bool number_set_fill(struct number_set *set, const uint32_t *number, size_t count, struct vouch_error *err);
void number_set_release(struct number_set *set);

/* What two sets share, as a share of what they have together (Jaccard 1901); 0 for two empty ones. */
double number_set_overlap(const struct number_set *a, const struct number_set *b);

/* How candidates are told apart. */
struct variety {
    double most; /* who overlaps more with one that was chosen is passed over; 0: nobody is */
    bool fill;   /* take those after all if there are not enough others */
    bool (*look)(void *context, uint32_t index, struct number_set *set, struct vouch_error *err);
    void *context;
};

/*
 * The first `wanted` of ranked candidates, without those that are much like one before: their indices in `chosen`
 * [wanted], *found of them. Time: looks at no more sets than it must, and compares each with those chosen.
 */
bool candidates_choose(const struct candidate *ranked, size_t count, uint32_t wanted, const struct variety *variety,
                       uint32_t *chosen, uint32_t *found, struct vouch_error *err);

#endif
