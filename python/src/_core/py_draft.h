/*
 * Sentences as they were read from Python, in flat arrays, before the library has seen them.
 *
 * Reading needs the GIL (py_sentences.c). Filling sentences of the library does not, and several threads may do it at
 * once (py_filling.c).
 */
#ifndef PY_DRAFT_H
#define PY_DRAFT_H

#include "py_known.h"

struct draft_cell {
    size_t at; /* in the bytes */
    float value;
};

/* Zero it before first use. */
struct draft {
    struct column bytes;     /* cells, each terminated */
    struct column cells;     /* struct draft_cell */
    struct column words;     /* size_t: the first cell of each word */
    struct column sentences; /* size_t: the first word of each sentence */
    bool attributes;         /* cells are ready-made attributes */
    const float *vectors;    /* [words][dimensions], of the caller; NULL: none */
    size_t dimensions;
    struct known known;      /* of the caller, of all words */
    size_t word;             /* the words of the last sentence, for messages */
};
void draft_clear(struct draft *draft); /* for the next call: it keeps as much memory as that will probably need */
void draft_release(struct draft *draft);

/* Take one sentence, or all of an iterable; false with an exception. */
bool draft_take(struct draft *draft, PyObject *sentence);
bool draft_take_all(struct draft *draft, PyObject *iterable);

/* Return numbers of what is there. */
static inline size_t draft_sentences(const struct draft *draft)
{
    return draft->sentences.used / sizeof(size_t);
}

static inline size_t draft_words(const struct draft *draft)
{
    return draft->words.used / sizeof(size_t);
}

/* Return the first word of a sentence, the first cell of a word, and a cell; `sentence` and `word` may be the end. */
static inline size_t draft_word(const struct draft *draft, size_t sentence)
{
    const size_t *first = (const size_t *)(const void *)draft->sentences.bytes;
    return sentence < draft_sentences(draft) ? first[sentence] : draft_words(draft);
}

static inline size_t draft_cell(const struct draft *draft, size_t word)
{
    const size_t *first = (const size_t *)(const void *)draft->words.bytes;
    return word < draft_words(draft) ? first[word] : draft->cells.used / sizeof(struct draft_cell);
}

static inline const struct draft_cell *draft_cell_at(const struct draft *draft, size_t cell)
{
    return (const struct draft_cell *)(const void *)draft->cells.bytes + cell;
}

static inline const char *draft_text(const struct draft *draft, size_t cell)
{
    return draft->bytes.bytes + draft_cell_at(draft, cell)->at;
}

/* What a thread needs to fill sentences. Zero it before first use. */
struct filler {
    struct column cells, values; /* const char *, float */
};
void filler_release(struct filler *filler);

/* Fills a sentence of the library. False with the reason, which names a word; an argument error can be the caller's. */
bool draft_fill(const struct draft *draft, size_t sentence, struct filler *filler, vouch_sentence *into,
                struct vouch_error *err);

/* Appends the words of a sentence themselves, which attributes do not tell, to its forms. False: no memory. */
bool draft_forms(const struct draft *draft, size_t sentence, struct gathered *to);

#endif
