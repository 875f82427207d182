/*
 * Score rows are words, chunks or sentences of answers whose truth is known.
 * Each row tells whether it is right, and has the numbers that the methods gave
 * it.
 */
#ifndef VOUCH_TRAIN_SCORE_ROWS_H
#define VOUCH_TRAIN_SCORE_ROWS_H

#include "base/memory.h"
#include "core/scheme.h"
#include "measure/quality.h"

/* Zero it before first use, but for `methods` and the widths. */
struct score_rows {
    size_t count;
    uint32_t methods, signals, profile_width, called_width;
    bool *right;           /* [count] */
    uint32_t *sentence;    /* [count] */
    struct extent *extent; /* [count] a word's place, a chunk's words, or all words of a sentence */
    double *value;         /* [count][methods]; NAN: no answer */
    double *signal;        /* [count][signals] */
    double *profile;       /* [count][profile_width] what its sentence looks like: committee_profile() */
    double *called;        /* [count][called_width] what the word is called elsewhere in the text: committee_text() */
    size_t right_capacity, sentence_capacity, extent_capacity, value_capacity, signal_capacity, profile_capacity,
        called_capacity;
};

/* Adds a row, whose *value [methods] and *signal [signals] the caller fills in. */
bool score_rows_add(struct score_rows *rows, uint32_t sentence, bool right, double **value, double **signal,
                    struct vouch_error *err);

/* Adds all rows of `from`, which has the same methods and signals unless `to` is empty. */
bool score_rows_join(struct score_rows *to, const struct score_rows *from, struct vouch_error *err);

/*
 * Returns one column of a table that has a row for each unit, such as `value`, with the verdicts; rows without a number
 * are left out. There are *n of them, to free().
 */
struct judged *score_rows_column(const struct score_rows *rows, const double *table /* [count][width] */, size_t width,
                                 size_t column, size_t *n, struct vouch_error *err);

void score_rows_release(struct score_rows *rows);

#endif
