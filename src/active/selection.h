/*
 * Chooses which sentences to label next, the least sure first, and says how long labelling them takes.
 *
 * The confidence of a sentence is that of its least sure word (Mejer and Crammer, section on active learning), or the
 * mean of its words', or the share of drawn models that agree with its whole answer. A long sentence has a less sure
 * word than a short one for no other reason than its length: the least of N numbers that are spread evenly from 0 to 1
 * is 1 / (N + 1) in expectation, and the least number can be divided by that. Or sentences with more expected chunks
 * come first: where entities are rare, most sentences have none to learn from (Kohl et al. 2024 found this among the
 * best of many ways). Among equals the shorter one comes first, as a larger share of its words is worth labelling; then
 * the one that was read first. Labels are chosen best by the mean of the words, trees by the length score: the least
 * sure word alone is mostly a long sentence's, and costs as much as it teaches (docs/MEASUREMENTS.md).
 */
#ifndef VOUCH_ACTIVE_SELECTION_H
#define VOUCH_ACTIVE_SELECTION_H

#include "base/memory.h"
#include "confidence/evidence.h"
#include "core/sentence.h"

enum sentence_score {
    SCORE_LEAST,    /* the least of its words */
    SCORE_MEAN,     /* their mean: does not favour long sentences */
    SCORE_LENGTH,   /* their least, relative to what is usual for so many words */
    SCORE_BALD,     /* the share of drawn models that agree in everything */
    SCORE_ENTITIES, /* the expected number of its chunks: the more, the sooner */
    SCORE_DENSITY,  /* that number for each word */
    SCORES
};

/* Whether the score is the expected number of chunks. */
static inline bool score_counts_chunks(enum sentence_score score)
{
    return score == SCORE_ENTITIES || score == SCORE_DENSITY;
}

/* The ways to use a method's numbers, as they are written behind its name; and all of them, for messages. */
extern const char *const score_suffix[SCORES];
#define SCORE_NAMES "/mean, /length, /bald, /entities or /density"

/* Splits "kd-fix/mean" into a method's name, at most `room` bytes with its end, and how it is used. */
bool score_parse(const char *name, char *method, size_t room, enum sentence_score *score, struct vouch_error *err);

/* Fails if sentences cannot be scored like that by this method (NULL: the committee). `name` is for the message. */
bool query_score_suits(const char *name, const struct method *method, enum sentence_score score,
                       struct vouch_error *err);

/* The name of the strategy that is not a method of confidence: it uses the passes of training alone. */
#define FLUCTUATION_NAME "fluctuation"

/* The numbers of a sentence's words, added one by one. Zero it first. */
struct sureness {
    double least, sum;
    uint32_t words;
    double chunks;
    uint32_t places;
};

/* Adds the number of a word. NAN and infinity, the numbers of a word that has no other choice, do not count. */
void sureness_add(struct sureness *sureness, double number);

/* Adds a word at which a chunk begins with this probability. */
void sureness_add_start(struct sureness *sureness, double start);

/*
 * Returns their least number, that times one more than their count, or their mean; infinity if no number was added. The
 * expected number of chunks is negated: the smaller, the sooner.
 */
double sureness_of(const struct sureness *sureness, enum sentence_score score);

struct candidate {
    double number; /* the smaller, the sooner */
    uint32_t words;
    uint32_t index;
};

void candidates_rank(struct candidate *candidate, size_t count);

/* Different numbers, ascending: the features of a sentence, or hashes of its words. Zero it before first use. */
struct number_set {
    uint32_t *item; /* [count] */
    size_t count, capacity;
};

/* Copies `count` numbers, sorts them and drops repetitions. O(n log n). */
bool number_set_fill(struct number_set *set, const uint32_t *number, size_t count, struct vouch_error *err);
void number_set_release(struct number_set *set);

/* Returns the size of the intersection over that of the union (Jaccard 1901); 0 for two empty sets. */
double number_set_overlap(const struct number_set *a, const struct number_set *b);

/* How candidates are told apart. */
struct variety {
    double most; /* a candidate that overlaps more with a chosen one is passed over; 0: none is */
    bool fill;   /* take those after all if there are too few others */
    /* Fills the set with what the candidate is told apart by: the hashes of its words, or its features. */
    bool (*numbers_of)(void *context, uint32_t index, struct number_set *set, struct vouch_error *err);
    void *context;
};

/*
 * Chooses the first `wanted` of ranked candidates, without those that are much like one before: puts their indices into
 * `chosen` [wanted], and their number into *found. It looks at no more sets than it must, and compares each with those
 * chosen.
 */
bool candidates_choose(const struct candidate *ranked, size_t count, uint32_t wanted, const struct variety *variety,
                       uint32_t *chosen, uint32_t *found, struct vouch_error *err);

/*
 * Labelling cost is the time that it takes to label sentences, in seconds:
 *
 *     sentence + word * words + change * changes
 *
 * where changes are chunks to mark, or labels and heads to correct. The usual figures are those of Ringger et al. 2008
 * ("Assessing the costs of machine-assisted corpus annotation through a user study"), rounded: they fitted
 * 12.57 + 3.795 words + 5.387 corrections to the time that people took over sentences whose parts of speech had been
 * proposed to them. For chunks and trees they are an assumption. The option --cost replaces them; nothing is chosen by
 * them.
 */
struct labelling_cost {
    double sentence, word, change; /* seconds for each */
};

/* Parses "13,3.8,5.4": the three costs, in the order of the fields. */
bool labelling_cost_parse(struct labelling_cost *cost, const char *text, struct vouch_error *err);

/* An amount of labelling. */
struct labelling {
    double sentences, words, changes;
};

double labelling_seconds(const struct labelling_cost *cost, const struct labelling *labelling);

/*
 * A shortlist holds the sentences of a stream that a model is least sure of, as they are going to be written. None is
 * there twice, and none is one of the known sentences.
 *
 * Memory: twice the n best; if near-duplicates are to be passed over, all that were offered, since any of them may come
 * to be chosen.
 */
struct shortlist;

/* Makes a list of the n least sure sentences; `diversity` as in struct variety, 0 for none. */
struct shortlist *shortlist_new(uint32_t n, double diversity, struct vouch_error *err);
void shortlist_free(struct shortlist *list);

/* Excludes sentences with these words. *new says whether the words were not known before. */
bool shortlist_know(struct shortlist *list, const struct sentence *sentence, bool *new, struct vouch_error *err);

/* Whether a sentence with this number would be kept. */
bool shortlist_wants(const struct shortlist *list, double number, uint32_t words);

/* A sentence that is offered to the list. */
struct offer {
    double number;  /* the smaller, the sooner */
    double changes; /* changes that labelling it takes */
    const char *text;
    size_t length; /* of what to write of it */
};

/* Keeps it, and a copy of its text. */
bool shortlist_add(struct shortlist *list, const struct sentence *sentence, const struct offer *offer,
                   struct vouch_error *err);

/* Ends the list. Entry i, least sure first, is then shortlist_text(i). */
bool shortlist_close(struct shortlist *list, uint32_t *count, struct vouch_error *err);
const char *shortlist_text(const struct shortlist *list, uint32_t i, size_t *length);

/* Returns how much there is to label in all that were chosen. */
struct labelling shortlist_labelling(const struct shortlist *list);

#endif
