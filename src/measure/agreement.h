/*
 * How far annotators agree, beyond what chance alone would give: see agreement.c.
 */
#ifndef VOUCH_MEASURE_AGREEMENT_H
#define VOUCH_MEASURE_AGREEMENT_H

#include "base/error.h"
#include "measure/intervals.h"

#include <stdint.h>

#define NO_VALUE UINT32_MAX

/* Things that A annotators gave values to, such as words; values are categories without an order. */
struct agreement_units {
    uint32_t annotators; /* A */
    uint32_t categories; /* values are below that */
    uint32_t *value;     /* [units][A] NO_VALUE: this annotator gave none */
    uint32_t *sentence;  /* [units] where it is */
    size_t units, value_capacity, sentence_capacity;
};
void agreement_units_release(struct agreement_units *units);

/* Adds a unit, and returns the place for its values [A], all NO_VALUE; NULL with the error set. */
uint32_t *agreement_units_add(struct agreement_units *units, uint32_t sentence, struct vouch_error *err);

/*
 * Return Krippendorff's alpha of all annotators, and Cohen's kappa of two of them; NAN if nothing can be compared, or
 * if there is only one category. `times` [sentences] says how often each sentence counts; NULL: once. `count` is
 * working memory, [categories] for alpha and [2][categories] for kappa.
 */
double krippendorff_alpha(const struct agreement_units *units, const uint32_t *times, double *count);
double cohen_kappa(const struct agreement_units *units, uint32_t a, uint32_t b, const uint32_t *times, double *count);

/* Returns how many units count: for a pair those with both values, for all (a == b) those with two values at least. */
uint64_t agreement_units_count(const struct agreement_units *units, uint32_t a, uint32_t b);

/* What one of two annotators has, and how much of it the other has as well: both ways, as matches may overlap. */
struct agreement_matches {
    double first, first_found, second, second_found;
};

/* Returns F1, the harmonic mean of both shares, over sentences; NAN if there is nothing. */
double matches_f1(const struct agreement_matches *matches /* [sentences] */, uint32_t sentences,
                  const uint32_t *times /* NULL: each once */);

/* Draws `sentences` sentences with replacement, resample `number` of the seed: times[i] is how often i was drawn. */
void resample_sentences(uint64_t seed, uint64_t number, uint32_t sentences, uint32_t *times);

/* Returns what holds `share` of the n values, and `value` itself; those that are NAN do not count. Sorts them. */
struct interval resampled_interval(double *values, uint32_t n, double share, double value);

#endif
