/*
 * Reads answers in files: gold labels, answers and confidence, which vouch or another program wrote. A file that vouch
 * wrote, or that looks like it, is one of
 *
 *   conll     columns ... gold answer [number ...] [alternatives] [flag], as tag writes them and conlleval reads them
 *   jsonl     "labels" or "heads", "predicted" or "predicted_heads", and "confidence"
 *   conllu    one tree a sentence, or the labels of one column, which are gold or answer, and HeadConf, RelConf (or
 *             UposConf) and "# conf"
 *
 * It is read a sentence at a time. The columns, the kind of answers (labels or trees) and the method of the confidence
 * are decided when the file is opened, by its first sentences; a sentence that does not fit is refused with its line.
 * Document marks and sentences without words are left out.
 *
 * If the caller says `foreign`, the file is a table of another program, with gold, guess and a number, the confidence,
 * for each word, and nothing that vouch would have to recognise; all of it is held in memory:
 *
 *   columns   separated by blanks, or by tabs if the first row has one; gold, guess and number are the last three, or
 *             those that the caller numbers from 1; the first column is the word if there are more than three
 *   values    separated by commas, semicolons or tabs, under a line of headings; cells may be quoted, but for tabs
 *   JSON      one object a line: a sentence if it holds arrays of equal length, else a word
 *   CoNLL-U   labels or trees, with gold and number in MISC: see answer_conllu.c
 *   spans     JSON lines of texts, whose spans have offsets, labels and scores: see answer_spans.c
 *
 * Sentences of a table are told apart by a column or key of their own, by blank lines, or by the lines of JSON with
 * arrays. A blank line behind the last row counts in columns without headings, which may be one sentence. If there is
 * none of these, every row is a sentence of its own, or all of them are one: the caller tells. Cells that are missing
 * or empty, and numbers that are none (NaN included), are refused with their line.
 *
 * Time is linear in the size of the file. One file a family of formats knows both what vouch writes and tables:
 * answer_columns.c, answer_json.c, answer_conllu.c, answer_spans.c.
 */
#ifndef VOUCH_ANSWERS_ANSWER_FILE_H
#define VOUCH_ANSWERS_ANSWER_FILE_H

#include "base/buffer.h"
#include "base/output.h"
#include "core/confidences.h"
#include "core/scheme.h"
#include "text/reader.h"

enum { SENTENCES_AHEAD = 100 }; /* sentences by which a file is judged */

/* The parts to look for in a file. */
enum answer_parts { GOLD_AND_ANSWERS, GOLD_ALONE, ANSWERS_ALONE };

struct answer_file_options {
    enum format format; /* FORMAT_AUTO: conll, jsonl or conllu */
    int gold;           /* the column of the gold label from 1, or GOLD_LAST: in front of the answer */
    uint32_t column;    /* of CoNLL-U that holds labels, from 1; 0: trees count */
    enum answer_parts parts;
    bool named; /* the column is given by its name, which only CoNLL-U has */
    bool trees; /* GOLD_ALONE in JSON lines: heads are looked for, not labels */

    bool foreign;        /* GOLD_AND_ANSWERS: the file is a table that another program wrote */
    const char *columns; /* its GOLD,GUESS,CONFIDENCE[,SENTENCE[,WORD]], by heading, key or number, or NULL */
    bool together;       /* its rows are one sentence if nothing tells them apart */
    const char *added;   /* the name of numbers that answer_file_complete() adds: only numbers are looked for, no gold
                            or guess, and lines are kept. NULL: none are added */
    bool log;            /* its numbers are log-probabilities */
    const char *gold_path; /* of spans: the file of gold; NULL: it is in the same one */
};

/* A method whose numbers a file holds. */
struct file_method {
    char name[METHOD_NAME];
    bool stated;     /* the file names the method; else the name is made up */
    bool calibrated; /* and whether they are calibrated */
};

/* A sentence of a file; all of it is valid until the next one is read. */
struct file_answer {
    const struct sentence *sentence; /* the words */
    struct text *gold;               /* [N] labels or relations; NULL: none looked for, or a tree without relations */
    uint32_t *gold_head;             /* [N] of trees */
    struct text *label;              /* [N] the answers, in the same way */
    uint32_t *head;
    const struct confidences *confidences; /* NULL: the file has none; NAN: a number that this sentence lacks */
};

/* The parts of a row of a table; the last two may be missing. */
enum answer_field { FIELD_GOLD, FIELD_GUESS, FIELD_CONFIDENCE, FIELD_SENTENCE, FIELD_WORD, ANSWER_FIELDS };

/* What tells the sentences of a table apart. */
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

    /* Of a span: */
    bool repeated;        /* there is a better one at the same place, with the same label: it does not count */
    uint32_t from, to;    /* code points; UINT32_MAX: its words are not in the text */
    uint32_t item, items; /* of the list, that it was made of; no items: gold has it, the answers lack it */
    double others;        /* the share of votes for other spans that overlap; NAN: not known */
    uint32_t document;    /* from 0, if the file has documents */
};

struct answer_file {
    /* What was found: valid after a successful open. */
    struct answer_file_options options;
    const char *path; /* for messages */
    bool trees;
    bool alone;        /* CoNLL-U that vouch wrote: there is no place for gold beside the answer */
    size_t relations;  /* words of trees that have them, of those that were looked at */
    char place[2][40]; /* where answers and gold are: "column 4", or a heading or key */
    uint32_t methods;
    struct file_method method[MAX_METHODS];
    uint64_t faults; /* lines read so far that hold an error in the place of an answer: these are left out */

    /* Of a table. */
    struct answer_row *row; /* [rows] */
    size_t rows, row_capacity;
    enum answer_boundaries boundaries;
    size_t outside;   /* rows whose number is not within 0 .. 1 */
    size_t example;   /* the first of them */
    char separator;   /* of cells; 0: JSON lines */
    uint64_t heading; /* the line of headings; 0: there is none */
    bool spans;       /* rows are spans, sentences are texts; of these: */
    struct text *text; /* [texts] empty: not known */
    size_t texts, text_capacity;
    uint64_t repeated, unplaced; /* spans that are there twice, and that are not in their text */
    uint32_t documents;          /* texts in succession with the same "document"; 0: no text has one */

    /* The rest is private to the files answer_*.c. */
    struct reader *reader;                             /* NULL: a table */
    struct sentence ahead[SENTENCES_AHEAD];            /* the first ones, to be read again; then one for all others */
    uint32_t held, at;                                 /* how many there are, and how many have been read again */
    const struct sentence *sentence;                   /* at hand */
    bool commented;                                    /* CoNLL-U: comments are about what is read */
    uint32_t gold_column, answer_column, first_number; /* of columns, from 0 */
    struct json_t *object;                             /* JSON lines: the one at hand, which views point into */
    struct method_confidence by_method[MAX_METHODS];
    struct confidences confidences;
    double *number; /* [methods][2 * N + spans] words, relations, spans */
    struct span *span;
    struct text *label[2]; /* [N] answer, gold */
    uint32_t *head[2];     /* [N] */
    struct arena arena;    /* of these four, anew for each sentence */

    struct text field[ANSWER_FIELDS]; /* of a table: headings, keys or numbers of columns */
    bool named[ANSWER_FIELDS];        /* by the caller: must be there */
    bool numbered;                    /* the caller's names are numbers of columns */
    bool blank;                       /* a blank line is in front of the row */
    struct buffer bytes;              /* of the table, which views point into; lines end with LF */
    struct buffer kept;               /* its lines as they were, if numbers are added */
    size_t cursor;                    /* where the next line begins */
    uint64_t line;                    /* the number of the one at hand */
    size_t next_row, row_at_hand;     /* of the sentence to be read next, and at hand */
    struct arena strings;             /* of spans, which are kept */
};

/* Opens a file; `path` NULL or "-" is standard input. NULL on failure. Free with answer_file_close(). */
struct answer_file *answer_file_open(const char *path, const struct answer_file_options *options,
                                     struct vouch_error *err);
void answer_file_close(struct answer_file *file); /* NULL is allowed */

enum reading answer_file_next(struct answer_file *file, struct file_answer *into, struct vouch_error *err);

/* Counts the labels of the sentences by which the file was judged; call it before any sentence is read. */
bool answer_file_watch(struct answer_file *file, struct scheme_watch *gold, struct scheme_watch *answers,
                       struct vouch_error *err);

/* Returns the line of a word of the sentence that was read last. */
uint64_t answer_file_line(const struct answer_file *file, uint32_t word);

/*
 * Writes the lines of a table that was opened with `added`, with the number of each row, [rows], under that name: in a
 * column behind the others, or under a key of JSON lines. Document marks have "_". Line ends and a byte order mark
 * stay. O(size of the file).
 */
bool answer_file_complete(const struct answer_file *file, const double *number, struct output *out,
                          struct vouch_error *err);

/* What is written with the spans of a file that was opened with `added`. */
struct span_completion {
    const double *number; /* [rows] */
    double threshold;     /* spans of less are marked as "doubtful"; -INFINITY: none */
    const bool *dropped;  /* [rows] spans to leave out; NULL: none */
    uint64_t line;        /* private */
};
bool answer_spans_complete(const struct answer_file *file, struct span_completion with, struct output *out,
                           struct vouch_error *err);

/* What a file holds, by its first line. One that can be read only once, a pipe, is not looked at. */
enum span_guess { SPANS_NONE, SPANS_UNKNOWN, SPANS_FOUND };
enum span_guess answers_look_like_spans(const char *path);

/* Opens a file of which nothing but lines is looked at: see answer_line(). Free with answer_file_close(). */
struct answer_file *answer_lines_open(const char *path, struct vouch_error *err);

/* The following are private to the files answer_*.c, and to counting votes. */

/* Fails with the file and a line in front of the message; 0: the line at hand, or the first of the sentence at hand. */
bool answer_refuse(const struct answer_file *file, uint64_t line, struct vouch_error *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Writes the byte order mark of a file whose lines are kept, if it has one; returns where its first line begins. */
const char *answer_write_mark(const struct answer_file *file, struct output *out);

/* Adds a method; the name is made up if there is none. */
bool answer_add_method(struct answer_file *file, struct text name, bool calibrated, struct vouch_error *err);

/* Adds methods named "kd-fix:calibrated,delta:raw", or "kd-fix (calibrated), delta (raw)": names end at `stop`. */
bool answer_name_methods(struct answer_file *file, struct text names, char stop, struct vouch_error *err);

/* Makes room for the labels and heads of the N words of another sentence. */
bool answer_room(struct answer_file *file, uint32_t N, struct vouch_error *err);

/* Makes empty estimates, all NAN, for the N words and the spans of the sentence at hand. */
bool answer_abstain(struct answer_file *file, uint32_t spans, struct vouch_error *err);

/* Return where the numbers of method m go, after answer_abstain(). */
static inline double *answer_words(const struct answer_file *file, uint32_t m)
{
    return file->number + m * (2 * (size_t)file->sentence->N + file->confidences.spans);
}

static inline double *answer_relations(const struct answer_file *file, uint32_t m)
{
    return answer_words(file, m) + file->sentence->N;
}

static inline double *answer_spans(const struct answer_file *file, uint32_t m)
{
    return answer_words(file, m) + 2 * (size_t)file->sentence->N;
}

/* Each format has functions that find out what a file of vouch holds, and that read the parts of one sentence. */
bool answer_columns_settle(struct answer_file *file, struct vouch_error *err);
bool answer_columns_read(struct answer_file *file, struct file_answer *into, struct vouch_error *err);
bool answer_json_settle(struct answer_file *file, struct vouch_error *err);
bool answer_json_read(struct answer_file *file, struct file_answer *into, struct vouch_error *err);
bool answer_conllu_settle(struct answer_file *file, struct vouch_error *err);
bool answer_conllu_read(struct answer_file *file, struct file_answer *into, struct vouch_error *err);

/* Opens a table, and hands on the rows of its next sentence; see answer_table.c. */
bool answer_table_open(struct answer_file *file, const char *path, struct vouch_error *err);
enum reading answer_table_next(struct answer_file *file, struct file_answer *into, struct vouch_error *err);

/* Reads the next line of a table that is not blank; false at the end. The bytes may be changed. */
bool answer_line(struct answer_file *file, struct text *line);

/* Reads a number of a table: "_", NaN, nothing, and numbers beyond all range are none; inf and -inf are. */
bool answer_number(struct text text, double *number);

/* Adds a row of the line at hand; refuses labels that are empty. */
bool answer_add(struct answer_file *file, struct answer_row row, struct vouch_error *err);

/* Each format has a function that reads all rows of a table. */
bool answer_columns_rows(struct answer_file *file, struct vouch_error *err);
bool answer_json_rows(struct answer_file *file, struct vouch_error *err);
bool answer_conllu_rows(struct answer_file *file, struct vouch_error *err);
bool answer_spans_rows(struct answer_file *file, struct vouch_error *err);
bool answer_conllu_looks_so(struct answer_file *file);
bool answer_spans_looks_so(struct answer_file *file);

/* Counts the rows from .. to - 1 of a text that count, and those among them that were found; hands them on. */
void answer_spans_count(const struct answer_file *file, size_t from, size_t to, uint32_t *rows, uint32_t *spans);
void answer_spans_take(struct answer_file *file, size_t from, size_t to, struct file_answer *into);

#endif
