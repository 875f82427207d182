/*
 * Reads sentences, one at a time, in constant memory.
 *
 * There are five formats, recognised by content unless forced; every one of them may also be compressed (gzip, xz,
 * zstd, bzip2). A reader checks what it reads (UTF-8, columns, trees) and names file, line and what was expected.
 *
 * Trees are read from CoNLL-X and CoNLL-U ("conllu"), and from JSON lines if `trees` is set; several roots are legal
 * here, and left to the caller. Without `trees`, a column of CoNLL-U is read as the labels of its words, whose cells
 * are then FORM, LEMMA, UPOS, XPOS, FEATS, HEAD, DEPREL, DEPS and MISC.
 *
 * Files that are labelled in part are read with `partial`. A label, head or relation is then open if it is "?" or "_";
 * in JSON lines, if it is null. In the columns of CoNLL-U in which "_" says that there is nothing (all but UPOS and
 * DEPREL), it stays a label.
 */
#ifndef VOUCH_TEXT_READER_H
#define VOUCH_TEXT_READER_H

#include "base/buffer.h"
#include "core/sentence.h"

enum format { FORMAT_AUTO, FORMAT_CONLL, FORMAT_CRFSUITE, FORMAT_PLAIN, FORMAT_JSONL, FORMAT_CONLLU };

#define GOLD_LAST 0    /* the last column is the gold label */
#define GOLD_NONE (-1) /* there is none: every column describes the word */

/*
 * Corrections are what was decided about the words of a file, so that it can be read as if that were written in it. A
 * word that was decided on has a correction even if it stays as it is.
 */
struct correction {
    uint64_t line;     /* of the sentence, as sentence->number has it */
    uint32_t word;     /* in the sentence, from 0 */
    uint32_t head;     /* of trees: the head that it gets */
    size_t at, length; /* its label, or relation, in corrections->text */
    bool changed;      /* it is not what the file has */
};

/* The corrections of one file, in its order. */
struct corrections {
    const char *path;
    struct correction *item;
    size_t count, capacity;
    struct buffer text;
    uint64_t kept, changed; /* words */
};

struct reader_options {
    enum format format;
    int gold;        /* GOLD_LAST, GOLD_NONE, or the column's number from 1 (CoNLL columns only) */
    bool trees;      /* dependency trees are expected: only formats that hold them are recognised */
    bool partial;    /* labels may be open */
    bool answered;   /* a file of answers is expected: CoNLL columns, unless it is JSON lines or CoNLL-U */
    uint32_t form;   /* the word's own column, from 0 (CoNLL columns only); not the first in any case if that is gold */
    uint32_t column; /* CoNLL-X and CoNLL-U without trees: the column of the labels, from 1; 0: not given */
    bool report;     /* JSON lines: one that cannot be read is a faulty sentence, and reading goes on */
    bool named;      /* the column was given by its name, which only CoNLL-U has */
    const struct corrections *corrections; /* [corrected] what to read instead of the content of files */
    size_t corrected;                      /* the number of files that have some */
    const char *vectors;                   /* the name of vectors of the words; NULL: they have none */
    const char *name;                      /* of memory, in messages; NULL: "memory" */
};

/* What was found in a file is valid after a successful open. */
struct reader {
    enum format format;
    char separator;               /* of columns: ' ' or '\t' */
    bool report;                  /* as in reader_options */
    struct sentence_place place;  /* behind the sentence that was read last */
    struct word_vectors *vectors; /* text/word_vectors.h; NULL: words have none */
    uint32_t dimensions;          /* of these; 0: there are none */
    uint64_t vector_digest;       /* of the table that they are from; 0: of none */

    struct input *input; /* whose input_before_waiting() may be set */

    /* The rest is private to this folder. */
    int gold;             /* as in reader_options */
    bool trees;           /* as in reader_options; also for answers in CoNLL-U */
    bool partial;         /* as in reader_options */
    bool answered, named; /* as in reader_options */
    uint32_t column;      /* as in reader_options; of trees in CoNLL-U, that of relations */
    uint32_t columns;     /* of the file: CoNLL from the start, JSON lines from the first word on (0 before) */
    int gold_column;      /* CoNLL: from 0, or -1 */
    uint32_t form;        /* CoNLL: the word's own column, from 0 */
    uint64_t number;      /* of the line at hand */
    struct text ending;   /* of the line at hand, directly behind it in memory */
    size_t used;          /* bytes kept in the sentence that is being built */
    char *held;           /* CoNLL: lines read ahead, each with its end */
    size_t held_length;   /* of which up to held_at have been read again */
    size_t held_at, held_capacity;
    const struct corrections *corrections; /* of the file; NULL: it has none */
    size_t next_correction;
    uint32_t *walk; /* [N + 1] trees: the walk that visited each word, from 1 */
    size_t walk_capacity;
};

/* Opens a file; `path` NULL or "-" is standard input. NULL on failure. Free with reader_close(). */
struct reader *reader_open(const char *path, const struct reader_options *options, struct vouch_error *err);

/* Opens the bytes of such a file, which stay the caller's and must not change before reader_close(). */
struct reader *reader_open_memory(const void *bytes, size_t length, const struct reader_options *options,
                                  struct vouch_error *err);

void reader_close(struct reader *reader); /* NULL is allowed */

enum reading { READ_FAILED = -1, READ_END = 0, READ_SENTENCE = 1 };

/* Reads the next sentence into `into`, whose memory is used again. */
enum reading reader_next(struct reader *reader, struct sentence *into, struct vouch_error *err);

uint32_t reader_columns(const struct reader *reader); /* CoNLL columns (conllu: 10), else 1 */
uint32_t reader_column(const struct reader *reader);  /* of the labels in CoNLL-U, from 1, else 0 */
const char *reader_path(const struct reader *reader); /* for messages; "standard input" if so */

/* Returns the line of word `word` of a sentence; in JSON lines, that of the sentence. */
uint64_t reader_line(const struct reader *reader, const struct sentence *sentence, uint32_t word);

/* Fails with "expected gold labels, found none", or heads, and the key of JSON lines for them; returns false. */
bool fail_without_gold(const struct reader *reader, const struct sentence *sentence, struct vouch_error *err);

/* Puts the place of `sentence` in front of the message, and that it was read as plain lines if so; returns false. */
bool reader_blame(const struct reader *reader, const struct sentence *sentence, struct vouch_error *err);

/*
 * column_parse() returns the column of CoNLL-U of that name, from 1 for "id" to 10 for "misc", and 0 for any other;
 * column_name() the name of a column.
 */
uint32_t column_parse(const char *name);
const char *column_name(uint32_t column);

const char *format_name(enum format format);

bool corrections_add(struct corrections *corrections, struct correction correction, struct text label,
                     struct vouch_error *err);
void corrections_release(struct corrections *corrections);

/*
 * Finds the corrections of a sentence: item[from] .. item[to - 1]. *next, 0 at the beginning of the file, keeps the
 * place to continue from, since sentences come in the order of the file.
 */
void corrections_of(const struct corrections *corrections, const struct sentence *sentence, size_t *next, size_t *from,
                    size_t *to);

#endif
