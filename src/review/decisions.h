/*
 * Decisions: from the table that `vouch review` writes, after a person has filled in its column "decision", to a corpus
 * that is read as if they were written in it, or is written anew with every other byte as it was.
 *
 *     decisions_read() -> decisions_about() a file -> amend() the file, or find corrections
 *
 * Every decision tells what it expects to find, so that a file other than the one that it was made for is noticed
 * before anything is written.
 */
#ifndef VOUCH_REVIEW_DECISIONS_H
#define VOUCH_REVIEW_DECISIONS_H

#include "base/buffer.h"
#include "base/output.h"
#include "core/scheme.h"
#include "text/reader.h"

/* What an audit counts; of a table that does not tell, items. */
enum audit_unit { AUDIT_ITEMS, AUDIT_WORDS, AUDIT_CHUNKS, AUDIT_SENTENCES, AUDIT_UNITS };

/* How an item was drawn for an audit (audit.c): from which stratum, from 1, and so many of its items, of all. */
struct audit_place {
    uint32_t stratum; /* 0: it was not drawn */
    uint32_t drawn, size, items;
    enum audit_unit unit;
};

/* Reads a place as audit_write() writes it; false if it is none. */
bool audit_read(struct text text, struct audit_place *place);

/* The decision about one word or several neighbours. */
struct decision {
    char *bytes;        /* its line of the table, in which its texts are; NULL: they are the caller's */
    const char *file;   /* that it was made for */
    bool about, used;   /* it is about the file at hand; it was about some file */
    uint64_t line;      /* of the first word; in JSON lines, of the sentence */
    uint32_t word;      /* its number in the sentence, from 1 */
    uint32_t words;     /* how many there are */
    struct text text;   /* their forms, as table_words() writes them; at NULL: not checked */
    struct text given;  /* their labels as they are, as table_labels() writes them */
    struct text wanted; /* and as they are to be, separated by blanks; of trees HEAD or HEAD:RELATION */
    struct text also;   /* in trees: other words that change with these, WORD:GIVEN->WANTED, separated by blanks */
    bool by_hand;       /* `wanted` was typed, perhaps wrongly: only labels of the corpus are accepted, and for all
                           words together also a single O or type, which is then spelled out */
    struct audit_place place;
    enum { OUTCOME_OPEN, OUTCOME_RIGHT, OUTCOME_WRONG } outcome; /* set by amend(); of two in a table that agree, one */
    const char *source;                                          /* the table, for messages, */
    uint64_t number;                                             /* and the line there */
};

/* Rows of one or several tables. Set the first two fields, and zero the others. */
struct decisions {
    bool with_kept;  /* rows that leave the corpus as it is are read as well, and how rows were drawn */
    bool new_labels; /* labels that the corpus does not have are accepted */
    struct decision *row;
    size_t rows, capacity;
    bool trees;
    uint64_t kept, open; /* rows that stay as given; rows without a decision */
};

/* Adds a table. `path` must outlive the decisions, which are to be released in any case. */
bool decisions_read(struct decisions *decisions, const char *path, struct vouch_error *err);
void decisions_release(struct decisions *decisions);

/*
 * Finds the rows about the file at `path`, and returns in *found how many there are. Of each table, these are rows with
 * just this path or, if there are none, with a file of the same name in another folder. Fails if two files have that
 * name.
 */
bool decisions_about(struct decisions *decisions, const char *path, size_t *found, struct vouch_error *err);

/* Appends the forms of words from .. to - 1, separated by blanks, and with blanks for tabs and the like. */
bool table_words(const struct sentence *sentence, uint32_t from, uint32_t to, struct buffer *into,
                 struct vouch_error *err);

/* Appends their labels as they are in the file, separated by blanks; of trees, heads and, if `relations`, relations. */
bool table_labels(const struct sentence *sentence, uint32_t from, uint32_t to, bool relations, struct buffer *into,
                  struct vouch_error *err);

/* The result of amending. */
struct amended {
    uint64_t changed; /* words that are not as they were */
    uint64_t
        faults; /* in sentences that followed the corpus's scheme and do not any more: see survey_faults() in amend.c */
    enum scheme scheme;    /* that scheme */
    uint64_t deps_mended;  /* DEPS of CoNLL-U whose old arc became the new one, */
    uint64_t deps_cleared; /* and that became "_", since they had neither */
    uint32_t refusals;     /* of sentences: decisions that contradict each other, or would leave no tree */
    struct buffer refused; /* a line for each, if there are several: else the error is this line */
};

/*
 * Writes the file with what was decided about it to `out`, or finds, for `into`, what would be changed in it, so that
 * it can be read as if it were; the other one is NULL. Reads `path`, which must not be a pipe, three times. Nothing is
 * written if a decision does not fit. Where several were refused the error tells how many, and `done` which: free
 * done->refused.bytes, and release `into`, in any case.
 */
bool amend(const char *path, const struct reader_options *reading, const struct decisions *decisions,
           struct output *out, struct corrections *into, struct amended *done, struct vouch_error *err);

/* Changes of bytes within the lines of a file: edit_lines.c */
struct edits {
    struct edit *edit;
    size_t count, capacity;
    struct buffer pool;      /* what is written instead */
    struct text *element[2]; /* [N] JSON, of the sentence at hand: labels; or heads, and relations */
    size_t element_capacity[2];
};

/* Finds where the labels of a sentence of JSON lines are; other formats need nothing. */
bool edits_open(struct edits *edits, const struct reader *reader, const struct sentence *sentence,
                struct vouch_error *err);

/*
 * Replaces the label or head of a word, its relation, or its DEPS; in JSON a label whose `at` is NULL is null. *found
 * tells whether the file has one.
 */
enum edited { EDITED_LABEL, EDITED_RELATION, EDITED_DEPS };
bool edits_add(struct edits *edits, const struct reader *reader, const struct sentence *sentence, uint32_t word,
               enum edited what, struct text label, bool *found, struct vouch_error *err);

/*
 * Finds the DEPS of a word of CoNLL-U whose arc becomes another: the enhanced graph has most arcs of the tree as well.
 * The old arc becomes the new one, in order; DEPS that have neither become "_", since what they should be is not known.
 * Those of other words are left as they are. `room` is where *mended may be.
 */
bool deps_mend(const struct sentence *sentence, uint32_t word, uint32_t head, struct text relation,
               struct text *mended, struct buffer *room, struct vouch_error *err);

/* Writes a sentence as it was read, but for `skipped`, with its edits made, and forgets these. */
void edits_write_sentence(struct edits *edits, struct output *out, const struct reader *reader,
                          const struct sentence *sentence);

/* Copies the file with the edits made. */
bool edits_write(struct edits *edits, struct output *out, const char *path, struct vouch_error *err);
void edits_release(struct edits *edits);

/*
 * Finds the elements of the array under `key` of an object, as they are written: the first `most` of them in `element`.
 * Returns how many there are; NO_ELEMENTS if there is no such array. `line` must be valid JSON; other text gives some
 * result, without harm. Keys are compared as they are written: one with escapes is not found.
 */
#define NO_ELEMENTS UINT32_MAX
uint32_t json_elements(struct text line, const char *key, struct text *element, uint32_t most);

#endif
