/*
 * A lexicon says which classes words belong to: clusters of several sizes, bit strings, types of names in a gazetteer.
 * Templates look at the classes of a word as at its cells, by views that are named after the lexicon (template.h).
 *
 * A file of text has a line for each entry: a word, or a phrase whose words a blank separates; then, each after a tab,
 * its classes, one in each column, where an empty one is none. All lines have the same columns, and no entry is there
 * twice. Before the entries, lines that begin with "# " are comments; two of these are kept for those who get a model:
 *
 *     # source: GloVe 6B 100d, 512 classes by k-means
 *     # licence: PDDL 1.0
 *     paris     17   203
 *     new york  17   88
 *
 * A word is looked up as it is written, then in lower case, then in lower case with 0 for every digit; so is a phrase.
 * Of phrases that begin at a word the longest counts, from left to right, and no two overlap. A word that is in no
 * phrase of several words is looked up by itself.
 *
 * Entries lie in ascending order of their bytes, and rows of classes are kept once. So a lexicon is the same whatever
 * the order of its file, and takes few bytes in a model's (model/lexicon_code.h). Time of a look-up: that of a hash
 * table, three times at most; where phrases begin, once more for each length.
 */
#ifndef VOUCH_TASK_LEXICON_H
#define VOUCH_TASK_LEXICON_H

#include "task/dictionary.h"

enum { MOST_LEXICONS = 8, MOST_CLASS_COLUMNS = 16, MOST_PHRASE_WORDS = 32, MOST_LEXICON_NAME = 24 };

struct lexicon {
    char *name;             /* by which templates know it */
    char *source, *licence; /* as its file states them; NULL: it does not */
    uint32_t columns;       /* of classes */
    uint32_t *row;          /* [entries + 1] the row of classes of each entry */
    struct dictionary entry, classes;
    struct dictionary first; /* words that phrases begin with */
    uint8_t *longest;        /* [words of `first` + 1] how many words the longest of these phrases has */
    uint64_t digest;         /* of entries and classes */
    size_t row_capacity, longest_capacity;
};

/* The lexicons of a model, in the order in which they were given. Zero it before first use. */
struct lexicons {
    struct lexicon item[MOST_LEXICONS];
    uint32_t count;
};

/* What a lexicon has for a word of a sentence. */
enum lexicon_place { PLACE_ALONE = '=', PLACE_FIRST = 'B', PLACE_LATER = 'I' }; /* the first, or a later of a phrase */
struct lexicon_match {
    uint32_t row; /* of classes; 0: none */
    enum lexicon_place place;
};

/* Memory for looking up; only grows. */
struct lexicon_work {
    char *bytes, *lower;
    size_t capacity, lower_capacity;
};
void lexicon_work_release(struct lexicon_work *work);

/* Writes a word as it is looked up last: in lower case, with 0 for every digit. Valid until the next call. */
bool lexicon_fold_word(struct text word, struct lexicon_work *work, struct text *folded, struct vouch_error *err);

/* Whether a name is one that a lexicon can have: a letter, then letters, digits, _ and -; and no view's. */
bool lexicon_name_fits(struct text name);

/* Adds the lexicons that are given as NAME=FILE. Release in any case. */
bool lexicons_read(struct lexicons *lexicons, const char *const *given, size_t count, struct vouch_error *err);

/* Adds an empty lexicon, to be filled and closed; NULL on failure: the name does not fit, or is taken. */
struct lexicon *lexicons_add(struct lexicons *lexicons, struct text name, struct vouch_error *err);

/* Adds an entry, which must not be there, with its classes, separated by tabs. */
bool lexicon_add(struct lexicon *lexicon, struct text entry, struct text classes, struct vouch_error *err);

/* Whether a phrase can be an entry: it has no blanks but single ones between words, which are 32 at most. */
bool lexicon_phrase_fits(struct text phrase);

/* Whether the phrase of an entry fits, and the classes are as many as the columns. */
bool lexicon_entry_fits(const struct lexicon *lexicon, struct text entry, struct text classes);

/* Lays entries out in their order, after the last was added. */
bool lexicon_close(struct lexicon *lexicon, struct vouch_error *err);

/* Finds what phrases begin with, and the digest: what follows from the entries. Part of closing and of opening. */
bool lexicon_complete(struct lexicon *lexicon, struct vouch_error *err);

/* Finds the lexicon of that name: its number, or `count`. */
uint32_t lexicons_find(const struct lexicons *lexicons, struct text name); /* NULL is allowed */

/* Looks up the words of a sentence: match [N]. */
bool lexicon_match(const struct lexicon *lexicon, const struct text *word, uint32_t N, struct lexicon_work *work,
                   struct lexicon_match *match, struct vouch_error *err);

static inline uint32_t lexicon_entries(const struct lexicon *lexicon)
{
    return lexicon->entry.table.count;
}

/* Whether the classes of a column, from 0, are bit strings, as Brown clusters are, some longer than four bits. */
bool lexicon_has_bits(const struct lexicon *lexicon, uint32_t column);

/* Returns a digest of all of them, with their names; 0 of none. */
uint64_t lexicons_digest(const struct lexicons *lexicons);

void lexicons_release(struct lexicons *lexicons);

#endif
