/*
 * Reads decisions: the table that `vouch review` writes, after a person has filled in its column "decision".
 */
#ifndef VOUCH_REVIEW_DECISIONS_H
#define VOUCH_REVIEW_DECISIONS_H

#include "review/amend.h"

enum decision_column {
    DECISION_FILE,
    DECISION_LINE,
    DECISION_WORD,
    DECISION_WORDS,
    DECISION_GIVEN,
    DECISION_PROPOSED,
    DECISION_ITSELF,
    DECISION_TEXT,
    DECISION_LAYER,
    DECISION_ALSO,
    DECISION_COLUMNS
};

/* A row on which something was decided. */
struct decided_row {
    char *bytes;
    const char *file;
    struct amendment amendment; /* whose texts are in `bytes` */
};

/* Rows of one table. */
struct decisions {
    const char *path;
    bool with_kept; /* rows that leave the corpus as it is are read as well: set it before decisions_read() */

    uint64_t number;                  /* of the line that is being read */
    uint32_t place[DECISION_COLUMNS]; /* of each column, from 0, or UINT32_MAX */
    uint32_t fields;
    bool quoted, trees;
    struct decided_row *row; /* of one file first, after decisions_about() */
    size_t rows, capacity;
    uint64_t kept, open; /* rows that stay as given; rows without a decision */
    uint64_t elsewhere;  /* decided rows of other files: the last ones */
};

/* Reads a table. Zero the structure first, and release it in any case; `path` must outlive it. */
bool decisions_read(struct decisions *decisions, const char *path, struct vouch_error *err);
void decisions_release(struct decisions *decisions);

/*
 * Moves the rows about the file at `path` to the front, and counts the others as `elsewhere`. These rows have just this
 * path or, if there are none, a file of the same name in another folder. Fails if two files have that name.
 */
bool decisions_about(struct decisions *decisions, const char *path, struct vouch_error *err);

#endif
