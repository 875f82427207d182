/*
 * Measures precision against recall: what becomes of answers whose truth is
 * known at every threshold of every method.
 */
#ifndef VOUCH_TRADE_TRADE_H
#define VOUCH_TRADE_TRADE_H

#include "answer/answer_stream.h"
#include "task/dictionary.h"
#include "answer/operating_point.h"

struct trade_point {
    double threshold; /* of at most nine digits, so that printing and reading keep it */
    struct tag_counts counts;
    uint64_t changed; /* words */
};

/* One method in one direction, from the unchanged answer on; thresholds ascend. */
struct trade_curve {
    enum direction direction;
    uint32_t method;
    struct trade_point *point; /* [points], at least 1; NULL: was not asked for */
    size_t points;
};

/* The words that the answer leaves outside of chunks and for which one method has numbers. */
struct trade_outside {
    uint64_t words;
    double sum; /* of the numbers */
};

/* Set the first fields, and zero the rest, before first use. */
struct trade {
    enum scheme scheme; /* that answers are written in */
    enum trade_unit unit;
    bool merge_types, by_words; /* as in struct operating_point */
    uint32_t methods;
    const char *name[MAX_METHODS]; /* [methods] */

    uint32_t sentences;
    size_t words;
    size_t *first;                                /* [sentences + 1] words before each */
    struct text *label;                           /* [words] */
    struct dictionary gold;                       /* its labels, */
    uint32_t *gold_number;                        /* [words] */
    double *least;                                /* [sentences] of [methods][N] */
    struct text *other;                           /* [sentences] of [methods][N]; empty if there is none */
    struct trade_outside outside[MAX_METHODS][2]; /* [methods] wrongly, rightly */
    size_t first_capacity, label_capacity, gold_capacity, least_capacity, other_capacity;

    struct trade_curve *curve; /* [methods][DIRECTIONS], once measured */
};
void trade_release(struct trade *trade);

/*
 * Adds an answer with the confidence of those methods; towards recall, also their likeliest other labels. Its labels
 * and theirs must stay where they are; `gold` [N] is copied.
 */
bool trade_add(struct trade *trade, const struct text *gold, uint32_t N, const struct answer *answer,
               struct vouch_error *err);

/* Measures all curves of the directions that are true. The result is the same for any number of threads. */
bool trade_measure(struct trade *trade, const bool towards[DIRECTIONS], uint32_t threads, struct vouch_error *err);

/*
 * Counts each sentence at each threshold of the caller's curve, whose method and direction are set. Returns
 * [curve->points][sentences], to free(); NULL with an error. If the curve has no points, it gets about a hundred, which
 * are chosen by the numbers of every `every`th sentence alone. Free curve->point in any case.
 */
struct tag_counts *trade_count_sentences(const struct trade *trade, struct trade_curve *curve, uint32_t every,
                                         struct vouch_error *err);

static inline const struct trade_curve *trade_curve(const struct trade *trade, uint32_t method, enum direction towards)
{
    return &trade->curve[method * DIRECTIONS + towards];
}

/* Returns precision or recall. */
static inline double rate_of(struct tag_rates rates, enum direction which)
{
    return which == TOWARDS_PRECISION ? rates.precision : rates.recall;
}

/*
 * Returns the point of a curve with the largest `which` whose F1 is at least `f1` and whose other figure is at least
 * `cost`: pass 0 for what does not matter. Among equals the one of the better F1 counts, then the first. NULL if there
 * is none.
 */
const struct trade_point *trade_best(const struct trade_curve *curve, enum direction which, double f1, double cost);

/*
 * Returns the point of all curves with at least `target` percent of `wanted` and the largest other figure. NULL if
 * there is none. *reach is that point, or the one that comes nearest, and *from its curve.
 */
const struct trade_point *trade_find(const struct trade *trade, enum direction wanted, double target,
                                     const struct trade_curve **from, const struct trade_point **reach);

#endif
