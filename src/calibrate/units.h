/*
 * Units: words, chunks or sentences of answers whose truth is known. A row
 * each: whether it is right, and the numbers that were said of it before.
 */
#ifndef VOUCH_CALIBRATE_UNITS_H
#define VOUCH_CALIBRATE_UNITS_H

#include "base/memory.h"
#include "core/span_rules.h"
#include "measure/judged.h"

/* Zero it before first use, but for `questions` and `signals`. */
struct units {
    size_t count;
    uint32_t questions, signals;
    bool *right;           /* [count] */
    uint32_t *sentence;    /* [count] */
    struct extent *extent; /* [count] of chunks: their words; of sentences: all of them */
    double *value;         /* [count][questions]; NAN: no answer */
    double *signal;        /* [count][signals] */
    size_t right_capacity, sentence_capacity, extent_capacity, value_capacity, signal_capacity;
};

/* A new row, whose *value [questions] and *signal [signals] are to be filled in. */
bool units_add(struct units *units, uint32_t sentence, bool right, double **value, double **signal,
               struct vouch_error *err);

/* Adds all rows of `from`, which has the same questions and signals unless `to` is empty. */
bool units_join(struct units *to, const struct units *from, struct vouch_error *err);

/*
 * One column of a table that has a row for each unit, such as `value`, with the verdicts; rows without a number are
 * left out. *n of them, to free().
 */
struct judged *units_judge(const struct units *units, const double *table /* [count][width] */, size_t width,
                           size_t column, size_t *n, struct vouch_error *err);

void units_release(struct units *units);

#endif
