/*
 * Reads answers of other programs: gold, guess and a number, the confidence, for each word, and nothing that vouch
 * would have to recognise. The file is one of
 *
 *   columns   separated by blanks, or by tabs if the first row has one; gold, guess and number are the last three, or
 *             those that the caller numbers from 1; the first column is the word if there are more than three
 *   values    separated by commas, semicolons or tabs, under a line of headings; cells may be quoted, but for tabs
 *   JSON      one object a line: a sentence if it holds arrays of equal length, else a word
 *   CoNLL-U   labels or trees, with gold and number in MISC: see answer_conllu.c
 *
 * Sentences are told apart by a column or key of their own, by blank lines, or by the lines of JSON with arrays. A
 * blank line behind the last row counts in columns without headings, which may be one sentence. If there is none of
 * these, every row is a sentence of its own, or all of them are one: the caller tells. Cells that are missing or empty,
 * and numbers that are none (NaN included), are refused with their line. Time and memory are linear in the size of the
 * file.
 */
#ifndef VOUCH_ANSWERS_ANSWER_TABLE_H
#define VOUCH_ANSWERS_ANSWER_TABLE_H

#include "base/buffer.h"
#include "base/output.h"
#include "text/reader.h"

/* The parts of a row; the last two may be missing. */
enum answer_field { FIELD_GOLD, FIELD_GUESS, FIELD_CONFIDENCE, FIELD_SENTENCE, FIELD_WORD, ANSWER_FIELDS };

/* What tells sentences apart. */
enum answer_boundaries {
    BOUNDARY_NONE,
    BOUNDARY_BLANK_LINES,
    BOUNDARY_SENTENCE_FIELD,
    BOUNDARY_JSON_LINES,
    BOUNDARY_FILE /* all rows are one sentence */
};

struct answer_row {
    struct text word, gold, guess; /* the word is empty if the file has none */
    double confidence;
    struct text gold_relation, relation; /* of trees, whose gold and guess are heads; empty: there are none */
    double relation_confidence;          /* NAN: none */
    uint64_t line;
    bool begins; /* a sentence */
};

/* Zero it before first use. */
struct answer_table {
    uint32_t column; /* set by the caller: of the labels in CoNLL-U, from 1; 0: trees */
    bool together;   /* set by the caller: rows that nothing tells apart are one sentence */
    /*
     * Set by the caller: the name of numbers that lines will be completed by. Lines are then kept, and only numbers are
     * looked for, no gold or guess. NULL: none are added.
     */
    const char *added;
    struct answer_row *row; /* [rows] */
    size_t rows;
    enum answer_boundaries boundaries;
    bool trees;       /* gold and guess are heads, whose numbers are those of words of the sentence */
    size_t relations; /* rows with relations: none or all */
    size_t outside; /* rows whose number is not within 0 .. 1 */
    size_t example; /* the first of them */

    char separator;   /* of cells; 0: JSON lines */
    uint64_t heading; /* the line of headings; 0: there is none */
    char place[2][40]; /* where the guess and gold are: "column 4", or its heading or key */
    const char *name;  /* of the file */

    /* While it is read. */
    struct text field[ANSWER_FIELDS]; /* headings, keys or numbers of columns */
    bool named[ANSWER_FIELDS];        /* by the caller: must be there */
    bool usual;                       /* the caller names none of them */
    bool numbered;                    /* the caller's names are numbers of columns */
    bool blank;                       /* a blank line is in front of the row */
    struct buffer bytes;              /* of the file, which views point into; lines end with LF */
    struct buffer kept;               /* the lines as they were, if numbers are added */
    size_t row_capacity;
};

/*
 * Reads a file; `path` NULL or "-" is standard input. `columns` names GOLD,GUESS,CONFIDENCE[,SENTENCE[,WORD]], by
 * heading, key or number, or is NULL. `format` is auto, conll (columns), conllu or jsonl.
 */
bool answer_table_read(struct answer_table *table, const char *path, const char *columns, enum format format,
                       struct vouch_error *err);
void answer_table_release(struct answer_table *table);

/*
 * Writes the lines of a table that was read with `added`, with the number of each row, [rows], under that name: in a
 * column behind the others, or under a key of JSON lines. Document marks have "_". Line ends and a byte order mark
 * stay. O(size of the file).
 */
bool answer_table_complete(const struct answer_table *table, const double *number, struct output *out,
                           struct vouch_error *err);

/* The following are private to the files answer_*.c. */

/* Fails with the file and the line in front of the message. */
bool answer_refuse(const struct answer_table *table, uint64_t line, struct vouch_error *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Adds a row; refuses labels that are empty. */
bool answer_add(struct answer_table *table, struct answer_row row, struct vouch_error *err);

/* Reads a number of a row: "_", NaN, nothing, and numbers beyond all range are none; inf and -inf are. */
bool answer_number(struct text text, double *number);

/* Reads the next line from *at on, and moves *at and *line past it; false at the end. The bytes may be changed. */
bool answer_line(const struct answer_table *table, size_t *at, uint64_t *line, struct text *into);

bool answer_cells_read(struct answer_table *table, enum format format, struct vouch_error *err);
bool answer_objects_read(struct answer_table *table, struct vouch_error *err);
bool answer_conllu_looks_so(const struct answer_table *table);
bool answer_conllu_read(struct answer_table *table, struct vouch_error *err);
bool answer_conllu_check(const struct answer_table *table, struct vouch_error *err); /* once sentences are settled */

#endif
