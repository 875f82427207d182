/*
 * Reading sentences, one at a time, in constant memory.
 *
 * Four formats, recognised by content unless forced; every one of them may
 * also be compressed (gzip, xz, zstd, bzip2). A reader checks what it reads
 * (UTF-8, columns) and names file, line and what was expected.
 */
#ifndef VOUCH_CORPUS_READER_H
#define VOUCH_CORPUS_READER_H

#include "core/sentence.h"

enum format { FORMAT_AUTO, FORMAT_CONLL, FORMAT_CRFSUITE, FORMAT_PLAIN, FORMAT_JSONL };

#define GOLD_LAST 0    /* the last column is the gold label */
#define GOLD_NONE (-1) /* there is none: every column describes the word */

struct reader_options {
    enum format format;
    int gold; /* GOLD_LAST, GOLD_NONE, or the column's number from 1 (CoNLL columns only) */
};

struct reader;

/* `path` NULL or "-" is standard input. NULL on failure. Free with reader_close(). */
struct reader *reader_open(const char *path, const struct reader_options *options, struct vouch_error *err);
void reader_close(struct reader *reader); /* NULL is allowed */

enum reading { READ_FAILED = -1, READ_END = 0, READ_SENTENCE = 1 };

/* Reads the next sentence into `into`, whose memory is used again. */
enum reading reader_next(struct reader *reader, struct sentence *into, struct vouch_error *err);

/* What was found: valid after a successful open. */
enum format reader_format(const struct reader *reader);
uint32_t reader_columns(const struct reader *reader); /* CoNLL columns, else 1 */
char reader_separator(const struct reader *reader);   /* what separates the columns: ' ' or '\t' */
const char *reader_path(const struct reader *reader); /* for messages; "standard input" if so */

const char *format_name(enum format format);
/* The format of that name ("auto", "conll", "crfsuite", "plain", "jsonl"), or -1. */
int format_parse(const char *name);

#endif
