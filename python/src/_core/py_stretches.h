/*
 * Sentences answered with the GIL released, on several threads: each thread answers a stretch of neighbouring sentences
 * with about as many words as the others', and what the threads gathered is joined in order. Names that the caller has
 * not numbered before are numbered by their first occurrence, whatever the threads.
 */
#ifndef PY_STRETCHES_H
#define PY_STRETCHES_H

#include "py_core.h"

/* One thread's share of a call. Only `names` is kept for the next one. */
struct stretch {
    struct names names;        /* those that are always known first */
    size_t first, end;         /* its sentences */
    size_t at;                 /* the one it is at */
    struct gathered *to, part; /* where answers go, and room for those of all stretches but the first */
    bool begun;                /* `part` must be released */
    bool no_memory;            /* why it failed; or `err` */
    struct vouch_error err;
    struct stretches *call;
    int number; /* from 0 */
};

/* A call. Set the first members; the others are the functions' own. */
struct stretches {
    struct stretch **of; /* [count] */
    size_t count;
    size_t known;                            /* names that are kept */
    bool (*answer)(struct stretch *stretch); /* answers sentence `at`; false with the reason in the stretch */
    const void *source;                      /* for `answer`, and for: */
    size_t (*words_before)(const void *source, size_t sentence); /* the words before a sentence, or before the end */

    struct signals signals;
    int failed; /* atomic: the first stretch that has failed, or -1 after a signal */
};

/* Returns how many stretches so many sentences are worth, `threads` at most. */
size_t stretches_worth(size_t sentences, size_t words, unsigned threads);

/*
 * Answers so many sentences into `to`. False if a signal came, or if any failed. In the first case signals.interrupted
 * is true, and an exception is set; else stretches_failed() is the first that failed, or NULL for no memory.
 */
bool stretches_answer(struct stretches *call, size_t sentences, struct gathered *to);
const struct stretch *stretches_failed(const struct stretches *call);

#endif
