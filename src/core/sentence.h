/*
 * A sentence holds words as columns that were read or built.
 *
 * The cells of word i are cell[first[i]] .. cell[first[i+1]-1]. A sentence owns its memory, which only grows: one is
 * used again for the next sentence. All views point into `bytes` (or, in a sentence built by hand, into memory of the
 * code that built it).
 */
#ifndef VOUCH_CORE_SENTENCE_H
#define VOUCH_CORE_SENTENCE_H

#include "base/memory.h"
#include "base/text.h"

#include <stdint.h>

/* What is in a file before a sentence of it: document marks, and what is behind the last sentence, do not count. */
struct sentence_place {
    uint64_t sentences, words, squares; /* `squares`: the sum of the squares of the sentences' lengths */
};

/* The head, or any other choice, of a word about which nothing was decided: files may be labelled in part. */
#define OPEN_CHOICE (UINT32_MAX - 1)

/* Rows of features that words have beside those of their cells; zero it before first use. */
struct further_rows {
    uint32_t N;        /* 0: there are none */
    uint32_t *start;   /* [N + 1] */
    uint32_t *feature; /* [start[N]] */
    size_t start_capacity, feature_capacity;
};
void further_rows_release(struct further_rows *rows);

struct sentence {
    uint32_t N;        /* words */
    uint32_t *first;   /* [N + 1] first cell of each word */
    struct text *cell; /* [first[N]] */
    float *value;      /* [first[N]] weight of each cell; meaningful only if `weighted` */
    struct text *gold; /* [N] gold label, empty where it is open; meaningful only if `labelled` */
    struct text *line; /* [N] the word's line as read, without its end */
    struct text *end;  /* [N] what follows that: blanks that do not count, LF, CR LF or at the end of the file nothing;
                          of plain lines also the blanks between words. NULL if it was not read from a file */
    struct text skipped; /* blank lines in front of all this, with their ends */
    struct text before;  /* lines in front of the first word, with their ends (JSON: the whole line, without its end;
                            plain: blanks in front of the first word) */
    struct text after;   /* the blank line behind the last word, with its end (JSON: the end of the line) */
    struct text *lead;   /* [N + 1] lines in front of each word that are no words (CoNLL-U ranges and empty nodes), with
                            their ends; lead[N] after the last. Meaningful only if `leads` */
    uint32_t *head;      /* [N] gold head: 0 the root, else a word's number from 1, or OPEN_CHOICE; only if `tree` and
                            `labelled` */
    uint32_t roots;      /* words whose gold head is 0: at least one, if `tree` and `labelled` and no head is open */
    uint32_t open;       /* words whose label, or head if `tree`, is open */
    float *vector;       /* [N][dimensions] of the words, from elsewhere; only if `dimensions` is not 0 */
    uint32_t dimensions; /* 0: there are no vectors */
    char *fault;         /* why it could not be read; meaningful only if `faulty` */
    struct further_rows further; /* features of what is around it */
    uint64_t number;             /* line number of the first word, from 1 */
    struct sentence_place place; /* in the file that it was read from */
    uint32_t form;               /* the column of the word itself; for attributes see sentence_form() */
    bool weighted;               /* cells carry values other than 1 */
    bool labelled;               /* gold labels are there, and heads if `tree` */
    bool attributes;             /* cells are ready-made attributes, of which a word may have any number */
    bool leads;                  /* there may be such lines */
    bool tree;                   /* cells are the ten columns of CoNLL-X or CoNLL-U: FORM is cell 1, as `form` says */
    bool boundary;               /* a document mark such as -DOCSTART-: carried through, never learned or scored */

    bool faulty; /* the sentence could not be read: there are no words */
    bool rest;   /* it is no sentence: the blank lines and comments behind the last one */

    char *bytes; /* what the views point into */
    size_t bytes_capacity, first_capacity, cell_capacity, value_capacity, gold_capacity, line_capacity, lead_capacity,
        head_capacity, end_capacity, fault_capacity, vector_capacity;
};

void sentence_release(struct sentence *sentence);

/* Turns it into a sentence that could not be read for the reason `why`. */
bool sentence_set_fault(struct sentence *sentence, const char *why, struct vouch_error *err);

/* Returns a word's form, or the ready-made attribute that looks like it; empty if it has none. */
struct text sentence_form(const struct sentence *sentence, uint32_t word);

/*
 * Returns a number for the words of a sentence: the same for the same words, whatever their labels, tags or format; a
 * function of the cells that sentence_tell_apart() names.
 */
uint64_t sentence_words_digest(const struct sentence *sentence);

/*
 * Returns a word, from 1, on a cycle of heads, each of which is 0, a word from 1 to N or open; 0 if there is none.
 * `walk` [N + 1] is working memory. Linear in N.
 */
uint32_t heads_cycle(const uint32_t *head, uint32_t N, uint32_t *walk);

/* Makes it the place behind a sentence of N words. */
static inline void sentence_place_pass(struct sentence_place *place, uint32_t N)
{
    place->sentences++;
    place->words += N;
    place->squares += (uint64_t)N * N;
}

static inline uint32_t sentence_cells(const struct sentence *s, uint32_t word)
{
    return s->first[word + 1] - s->first[word];
}

/* Finds the cells cell[*from] .. cell[*to - 1] that tell a word from others: its form, or all ready-made attributes. */
static inline void sentence_tell_apart(const struct sentence *s, uint32_t word, uint32_t *from, uint32_t *to)
{
    *from = s->first[word] + (s->attributes ? 0 : s->form);
    *to = s->attributes ? s->first[word + 1] : *from + 1;
}

static inline struct text sentence_cell(const struct sentence *s, uint32_t word, uint32_t column)
{
    return s->cell[s->first[word] + column];
}

/*
 * Counts the documents of files while their sentences pass. The sentences of a document are not independent of each
 * other, so that guarantees are made for documents where marks divide the files. Zero it before first use.
 */
struct document_count {
    uint32_t documents; /* so far; a file begins one, too */
    uint32_t marks;     /* of documents */
    bool begins;        /* the next sentence begins a document */
};

/* Takes a sentence, or a document mark, in the order of the files; a sentence is in document number documents - 1. */
void document_count_pass(struct document_count *count, const struct sentence *sentence);

/* Whether marks divide what passed into several documents. */
static inline bool has_documents(const struct document_count *count)
{
    return count->marks > 0 && count->documents > 1;
}

/* A set of digests is collected in any order, then sorted, and searched by halving. */
struct digest_set {
    const uint64_t *digest; /* [count]; once closed ascending, and none twice */
    size_t count, capacity;
    uint64_t *own; /* the same array if digests can be added; NULL for a view */
};

bool digest_set_add(struct digest_set *set, uint64_t digest, struct vouch_error *err);
bool digest_set_add_all(struct digest_set *set, const struct digest_set *other, struct vouch_error *err);

/* Sorts the digests that were added. Time: n log n. */
void digest_set_close(struct digest_set *set);

/*
 * Whether a closed set holds `digest`. Time: log n. If the set is not sorted, the answer may be wrong, but memory stays
 * safe.
 */
bool digest_set_has(const struct digest_set *set, uint64_t digest);

void digest_set_release(struct digest_set *set);

#endif
