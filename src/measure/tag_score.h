/*
 * A tag score tells how well guessed labels agree with gold ones.
 *
 * Three units are counted in one table. TAG_CHUNKS counts phrases, as the CoNLL-2000 script conlleval does, with one
 * row for each type. TAG_LABELS is for labels that stand for themselves (parts of speech): every word is a unit of its
 * own, with one row for each label. TAG_SPANS counts spans of texts: every one is a word of its own, labelled B-TYPE,
 * and so are those that were missed, whose guess is O. Add it sentence by sentence, then read the fields or write the
 * report.
 */
#ifndef VOUCH_MEASURE_TAG_SCORE_H
#define VOUCH_MEASURE_TAG_SCORE_H

#include "base/buffer.h"
#include "core/scheme.h"

enum tag_unit { TAG_CHUNKS, TAG_LABELS, TAG_SPANS };

struct tag_counts {
    uint64_t gold, guessed, correct; /* units in the gold labels, in the guess, in both */
};

/* Rates in percent; a quotient by zero is zero. */
struct tag_rates {
    double precision, recall, f1;
};

struct tag_row {
    char *name; /* a type of chunk, possibly empty; a label; or a relation (tree_score.h) */
    uint32_t length;
    struct tag_counts counts; /* a relation is correct if its head is, too */
    uint64_t heads;           /* of a relation: those in gold whose head is right */
};

struct tag_score {
    enum tag_unit unit;
    uint64_t words, right_words;
    uint64_t sentences, right_sentences; /* right: every word of it is */
    struct tag_counts all;
    struct tag_row *row; /* [rows] by name, bytewise */
    size_t rows, row_capacity;

    char *prefix; /* [2][N] scratch: a sentence's prefixes in IOB2, gold and guess */
    size_t prefix_capacity;
};

/* Returns the unit in which a corpus of that scheme is scored. */
static inline enum tag_unit tag_unit_of(enum scheme scheme)
{
    return scheme == SCHEME_NONE ? TAG_LABELS : TAG_CHUNKS;
}

/*
 * Returns the row called `name` of a table [*rows] that is sorted by name and stays so, made if it is not there. NULL
 * with the error set if that fails.
 */
struct tag_row *tag_row_of(struct tag_row **table, size_t *rows, size_t *capacity, struct text name,
                           struct vouch_error *err);

void tag_score_init(struct tag_score *score, enum tag_unit unit);
void tag_score_release(struct tag_score *score);

/*
 * Counts one sentence; one of no words is not counted. No pointer of the caller is kept. Fails only for want of memory;
 * the score then holds part of the sentence and can only be released by tag_score_release().
 */
bool tag_score_add(struct tag_score *score, const struct text *gold /* [N] */, const struct text *guess /* [N] */,
                   uint32_t N, struct vouch_error *err);

struct tag_rates tag_rates(struct tag_counts counts);

/* Returns 100 * part / whole, or 0 if `whole` is 0. */
double tag_percent(uint64_t part, uint64_t whole);

/*
 * Appends the report to `text`. For chunks it is conlleval's, to the byte. Numbers follow LC_NUMERIC, which is "C"
 * unless the host program changed it.
 */
bool tag_score_report(const struct tag_score *score, struct buffer *text, struct vouch_error *err);

#endif
