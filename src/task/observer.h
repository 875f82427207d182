/*
 * Observes the words of a sentence, for rules that look at their cells.
 *
 * What is observed of a word lies in a row of numbers: two names of the word, the strings that rules see of its cells,
 * and the features of the rules that begin with one of its cells. A rule finds its numbers at fixed places, counted
 * from the row of the word that it is applied to; `_B-1`, `_B+1`, ... have rows as well.
 *
 * What a lexicon has for the words of a column is a column of its own, behind those of the sentence.
 *
 * Features depend on a few cells, and most cells and many tuples of cells of a text have been seen shortly before: both
 * are kept in direct-mapped caches. While a vocabulary grows, features are numbered in the order in which rules meet
 * them, so an observer of a growing one observes strings alone.
 */
#ifndef VOUCH_TASK_OBSERVER_H
#define VOUCH_TASK_OBSERVER_H

#include "core/sentence.h"
#include "task/dictionary.h"
#include "task/template.h"

enum { WORD_NAMES = 2 }; /* of a word: hashes of its first cell, as it is and in lower case */

#define NOWHERE INT32_MAX

/* Where a rule finds the numbers of its strings, counted from the row of the word that it is applied to. */
struct places {
    int32_t string[MAX_MACROS]; /* [macros] NOWHERE: they are not needed */
};

struct observer {
    const struct templates *templates;
    const struct dictionary *strings;
    const struct feature_index *index; /* of the words' features; NULL: they are not observed */
    struct dictionary *growing;        /* `strings` if it may grow, else NULL */
    struct places *node, *edge;        /* [templates->nodes], [templates->edges] */
    int32_t *feature;                  /* [templates->nodes] places of features, as those of strings */
    uint32_t stride;                   /* numbers in a row */
    uint32_t *row;                     /* [reach + N + reach][stride]; a row begins with the names */

    struct column *column; /* [columns] those of the sentence, [cells], then one for each look-up in a lexicon */
    struct tuple *tuple;   /* [tuples] */
    uint32_t *lone;        /* [lones] rules that no tuple is kept for */
    uint32_t cells, columns, tuples, lones;
    uint32_t first_lone;         /* place of the feature of the first one, in the row of the word it is applied to */
    uint32_t *outside;           /* [2 * reach + 1][stride] rows of _B-reach .. _B+reach; the middle one is unused */
    uint64_t *hash;              /* [N][columns] of the cells */
    struct text *word;           /* [N] the cells of a column that is looked up in a lexicon */
    struct lexicon_match *match; /* [lookups][N] */
    uint64_t *key;               /* [AHEAD + 1][lones] of the last words */
    uint32_t **missing;          /* rows of tuples that are not known */
    struct view_buffer buffer, class_buffer;
    struct lexicon_work work;
    struct arena arena; /* of what is laid out once: all arrays but those with a capacity */
    size_t row_capacity, hash_capacity, missing_capacity, word_capacity, match_capacity;
};

/*
 * Prepares to observe for these rules; `growing` is NULL if all strings and features are known. What is pointed at must
 * outlive the observer. Release in any case.
 */
bool observer_init(struct observer *observer, const struct templates *templates, const struct dictionary *strings,
                   const struct feature_index *index, struct dictionary *growing, struct vouch_error *err);
void observer_release(struct observer *observer);

/* Fills in `row`. Time: the cells, views and tuples; little of it if they were seen lately. */
bool observer_run(struct observer *observer, const struct sentence *sentence, struct vouch_error *err);

/* Returns the row of word n of the sentence. */
static inline const uint32_t *observer_row(const struct observer *observer, uint32_t n)
{
    return observer->row + ((size_t)observer->templates->reach + n) * observer->stride;
}

/* Returns the key of a rule at a word whose row is `here`; 0 if one of its cells shows nothing. */
uint64_t rule_key(const struct rule *rule, const struct places *places, const uint32_t *here);

/* Finds the number of a string, or adds it while growing. False only on failure. */
bool observer_number(struct observer *observer, struct text text, uint32_t *number, struct vouch_error *err);

#endif
