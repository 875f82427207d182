/*
 * Answers of the library, one behind the other, in flat arrays. With S sentences, N words in all, C chunks, M methods:
 *
 *     offsets int64 [S+1], label int32 [N], head int32 [N] (trees), doubtful uint8 [N]
 *     confidence, relation_confidence (trees) float64 [M][N], sentence_confidence float64 [M][S]
 *     span_offsets int64 [S+1], span_start, span_end, span_type int32 [C], span_confidence float64 [M][C]
 *     alternative_offsets, set_offsets, relation_set_offsets int64 [N+1], with their labels, heads int32 and
 *     probabilities float64; the last are of trees, and their labels relations
 *     form_offsets int64 [N+1], form_bytes: the words themselves in UTF-8, if sentences have any
 *
 * Labels and types are numbers of names, which begin with the model's labels; -1 is none. Words of a sentence and of
 * its chunks count from 0, heads as in vouch.h. Nothing here needs the GIL.
 */
#ifndef PY_GATHERED_H
#define PY_GATHERED_H

#include "py_columns.h"

#include <vouch.h>

enum gathered_column {
    GATHERED_OFFSETS,
    GATHERED_LABEL,
    GATHERED_HEAD,
    GATHERED_DOUBTFUL,
    GATHERED_SPAN_OFFSETS,
    GATHERED_SPAN_START,
    GATHERED_SPAN_END,
    GATHERED_SPAN_TYPE,
    GATHERED_FORM_OFFSETS,
    GATHERED_FORM_BYTES,
    GATHERED_ALTERNATIVES, /* four: offsets, label, head, probability */
    GATHERED_ALTERNATIVE_LABEL,
    GATHERED_ALTERNATIVE_HEAD,
    GATHERED_ALTERNATIVE_PROBABILITY,
    GATHERED_SETS, /* likewise */
    GATHERED_SET_LABEL,
    GATHERED_SET_HEAD,
    GATHERED_SET_PROBABILITY,
    GATHERED_RELATION_SETS, /* likewise */
    GATHERED_RELATION_SET_LABEL,
    GATHERED_RELATION_SET_HEAD,
    GATHERED_RELATION_SET_PROBABILITY,
    GATHERED_CONFIDENCE, /* from here on one a method: */
    GATHERED_RELATION,
    GATHERED_SENTENCE,
    GATHERED_SPAN,
    GATHERED_KINDS
};

/* What short answers by one method need, so that nothing is allocated for them: bytes of a column. */
enum { GATHERED_ROOM = 128 };

struct gathered {
    size_t methods;
    bool trees;
    int64_t sentences, words, spans;
    struct column own[GATHERED_CONFIDENCE];
    struct column *by_method; /* [GATHERED_KINDS - GATHERED_CONFIDENCE][methods] */
    struct column one[GATHERED_KINDS - GATHERED_CONFIDENCE];       /* by_method, if there is one method at most */
    _Alignas(8) char room[GATHERED_KINDS][GATHERED_ROOM];          /* lent to columns; must not move */
};

/* Begins empty arrays, with the first of their offsets, and room for so many words. False: no memory. */
bool gathered_begin(struct gathered *to, size_t methods, bool trees);
bool gathered_reserve(struct gathered *to, size_t sentences, size_t words);
void gathered_release(struct gathered *to);

/* Returns a column; `method` counts for those that are one a method. */
struct column *gathered_column(struct gathered *from, enum gathered_column kind, size_t method);

/* Appends all of another's, whose name i is number[i] here. False: no memory. */
bool gathered_append(struct gathered *to, struct gathered *from, const int32_t *number);

/* Appends an answer. False: no memory. */
bool gather_answer(struct gathered *to, struct names *names, const vouch_answer *answer);

#endif
