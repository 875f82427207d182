/*
 * Answered files hold gold, answers and confidence in one file:
 *
 *   conll     columns ... gold answer [number ...] [alternatives] [flag], as tag writes them and conlleval reads them
 *   jsonl     "labels" or "heads", "predicted" or "predicted_heads", and "confidence"
 *   conllu    one tree a sentence, or the labels of one column, which are gold or answer, and HeadConf, RelConf (or
 *             UposConf) and "# conf"
 *
 * or, if the caller says so, a table of another program (answer_table.h), all of which is held in memory.
 *
 * The columns, the kind of answers (labels or trees) and the method of the confidence are decided when the file is
 * opened, by its first sentences; a sentence that does not fit is refused with its line. Document marks and sentences
 * without words are left out. Time is linear; memory holds the first sentences and the one at hand.
 */
#ifndef VOUCH_ANSWERS_ANSWERED_H
#define VOUCH_ANSWERS_ANSWERED_H

#include "core/confidences.h"
#include "core/scheme.h"
#include "answers/answer_table.h"

/* The parts to look for in a file. */
enum answered_part { GOLD_AND_ANSWERS, GOLD_ALONE, ANSWERS_ALONE };

struct answered_options {
    enum format format; /* FORMAT_AUTO: conll, jsonl or conllu */
    int gold;           /* the column of the gold label from 1, or GOLD_LAST: in front of the answer */
    uint32_t column;    /* of CoNLL-U that holds labels, from 1; 0: trees count */
    enum answered_part part;
    bool named;          /* the column is given by its name, which only CoNLL-U has */
    bool trees;          /* GOLD_ALONE in JSON lines: heads are looked for, not labels */
    bool foreign;        /* GOLD_AND_ANSWERS: the file is a table that another program wrote, see answer_table.h */
    const char *columns; /* of that table, as answer_table_read() takes them */
    bool together;       /* its rows are one sentence if nothing tells them apart */
};

/* A method whose numbers a file holds. */
struct answered_method {
    char name[METHOD_NAME];
    bool stated;     /* the file names the method; else the name is made up */
    bool calibrated; /* and whether they are calibrated */
};

/* A sentence; all of it is valid until the next one is read. */
struct answered {
    const struct sentence *sentence; /* the words */
    struct text *gold;               /* [N] labels or relations; NULL: none looked for, or a tree without relations */
    uint32_t *gold_head;             /* [N] of trees */
    struct text *label;              /* [N] the answers, in the same way */
    uint32_t *head;
    const struct confidences
        *confidences; /* NULL if the file has no confidence; NAN for numbers that this sentence lacks */
};

struct answered_file;

/* Opens a file; `path` NULL or "-" is standard input. NULL on failure. Free with answered_close(). */
struct answered_file *answered_open(const char *path, const struct answered_options *options, struct vouch_error *err);
void answered_close(struct answered_file *file); /* NULL is allowed */

enum reading answered_next(struct answered_file *file, struct answered *into, struct vouch_error *err);

/* Counts the labels of the sentences by which the file was judged; call it before any sentence is read. */
bool answered_watch(struct answered_file *file, struct scheme_watch *gold, struct scheme_watch *answers,
                    struct vouch_error *err);

/* Return what was found: valid after a successful open. */
bool answered_trees(const struct answered_file *file);
bool answered_alone(const struct answered_file *file); /* CoNLL-U: there is no place for gold beside the answer */
const struct answered_method *answered_methods(const struct answered_file *file, uint32_t *count);
const char *answered_path(const struct answered_file *file);
/* Returns where gold or answers are: "column 4", or a key in JSON lines. */
const char *answered_place(const struct answered_file *file, bool gold);

/* Returns the table, if the file was opened as one, else NULL. */
const struct answer_table *answered_table(const struct answered_file *file);

/* Returns how many of the lines read so far hold an error in the place of an answer: these are left out. */
uint64_t answered_faults(const struct answered_file *file);

/* Returns the line of a word of the sentence that was read last. */
uint64_t answered_line(const struct answered_file *file, uint32_t word);

#endif
