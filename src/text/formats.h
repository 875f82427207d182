/*
 * Declares what the formats share: their table, and functions that build a sentence. For this folder, and for code that
 * reads or changes the bytes of such files (answers/, review/amend.c).
 *
 * A sentence is built word by word: sentence_begin(), then for each word sentence_room() for all that it needs,
 * sentence_keep() for its bytes, its views, and sentence_word(). Views may be taken as soon as bytes are kept:
 * sentence_room() moves them along when the bytes must move.
 */
#ifndef VOUCH_TEXT_FORMATS_H
#define VOUCH_TEXT_FORMATS_H

#include "base/input.h"
#include "text/reader.h"
#include "text/word_vectors.h"
#include "text/writer.h"

#define LONGEST_SENTENCE (UINT32_C(1) << 20) /* words */
#define LARGEST_SENTENCE ((size_t)1 << 30)   /* bytes */
#define MOST_COLUMNS (UINT32_C(1) << 16)
#define DOCUMENT_MARK "-DOCSTART-"
#define CONLLU_KEY 64 /* bytes of a key, a longer one is cut */
#define CONLLU_CONF 16

/* The columns of CoNLL-X and CoNLL-U. */
enum tree_column {
    COLUMN_ID,
    COLUMN_FORM,
    COLUMN_LEMMA,
    COLUMN_UPOS, /* CoNLL-X: the coarse part of speech */
    COLUMN_XPOS,
    COLUMN_FEATS,
    COLUMN_HEAD,
    COLUMN_DEPREL,
    COLUMN_DEPS, /* CoNLL-X: the projective head and, next, its relation */
    COLUMN_MISC,
    TREE_COLUMNS
};

static inline bool marks_flag(const struct marks *marks)
{
    return marks->doubtful && !marks->replaced;
}

struct format_calls {
    const char *name;
    /* Looks at the beginning of the file; NULL if the format does not need it. */
    bool (*start)(struct reader *reader, struct vouch_error *err);
    enum reading (*next)(struct reader *reader, struct sentence *into, struct vouch_error *err);
    /* Writes a word of a sentence with its label, but for the end of its line; NULL: see the next. */
    void (*write_word)(struct output *out, const struct writer_options *options, const struct sentence *sentence,
                       uint32_t word, struct text label, const struct marks *marks);
    /* Writes a sentence. `head` is NULL if the answer is no tree; `label` of a tree may be NULL. */
    bool (*write)(struct output *out, const struct writer_options *options, const struct sentence *sentence,
                  const uint32_t *head, const struct text *label, const struct marks *marks, struct vouch_error *err);
};

extern const struct format_calls conll_calls, crfsuite_calls, plain_calls, jsonl_calls, conllu_calls;

/* Indexed by enum format; FORMAT_AUTO has a name only. */
extern const struct format_calls *const format_table[];

/* Fails with the file and the line at hand in front of the message. */
bool fail_line(const struct reader *reader, struct vouch_error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Finds out the format of a file that begins with `ahead`, up to 64 KiB; refuses other kinds of files. */
bool recognise(struct reader *reader, struct text ahead, struct vouch_error *err);

/* Reads the next line, and puts its number into reader->number: as input_line(). */
int next_line(struct reader *reader, struct text *line, struct vouch_error *err);

/* Splits a line into fields, the first `limit` of which are put in `cell`; returns how many there are. */
uint32_t split_tabs(struct text line, struct text *cell, uint32_t limit);

bool sentence_begin(struct reader *reader, struct sentence *s, struct vouch_error *err);
bool sentence_grow(struct reader *reader, struct sentence *s, size_t bytes, struct vouch_error *err);

/* Makes room for one more word of `bytes` bytes and `cells` cells. */
static inline bool sentence_room(struct reader *reader, struct sentence *s, size_t bytes, size_t cells,
                                 struct vouch_error *err)
{
    if (s->N >= LONGEST_SENTENCE)
        return fail_line(reader, err, "sentence longer than %u words", LONGEST_SENTENCE);
    return (reader->used + bytes <= s->bytes_capacity || sentence_grow(reader, s, bytes, err)) &&
           RESERVE(s->first, s->first_capacity, (size_t)s->N + 2, err) &&
           RESERVE(s->cell, s->cell_capacity, s->first[s->N] + cells, err) &&
           RESERVE(s->gold, s->gold_capacity, (size_t)s->N + 1, err) &&
           RESERVE(s->line, s->line_capacity, (size_t)s->N + 1, err) &&
           RESERVE(s->end, s->end_capacity, (size_t)s->N + 1, err);
}

/* Returns a copy of `text` among the sentence's bytes, for which there must be room. */
static inline struct text sentence_keep(struct reader *reader, struct sentence *s, struct text text)
{
    char *at = s->bytes + reader->used;
    memcpy(at, text.at, text.length);
    reader->used += text.length;
    return (struct text){at, text.length};
}

/* Returns a copy of the line at hand, for which there must be room, and of its end, which is noted as the word's. */
static inline struct text sentence_keep_line(struct reader *reader, struct sentence *s, struct text line)
{
    struct text kept = sentence_keep(reader, s, line);
    s->end[s->N] = sentence_keep(reader, s, reader->ending);
    return kept;
}

/* Completes a word whose `cells` cells, line, its end and gold label (empty if there is none) are in place. */
static inline void sentence_word(const struct reader *reader, struct sentence *s, uint32_t cells)
{
    if (s->N == 0)
        s->number = reader->number;
    s->first[s->N + 1] = s->first[s->N] + cells;
    s->N++;
}

/* Appends a line and its end to `view`, which is one of the sentence's and empty or the last that was kept. */
bool sentence_carry(struct reader *reader, struct sentence *s, struct text *view, struct text line,
                    struct vouch_error *err);

/* Does the same for a blank line: it is the one after the sentence, or one of those before it. */
bool sentence_blank(struct reader *reader, struct sentence *s, struct text line, struct vouch_error *err);

/* Returns READ_SENTENCE if there is anything in a sentence that ends with the file, else READ_END. */
static inline enum reading sentence_last(struct sentence *s)
{
    s->rest = s->N == 0;
    return s->N > 0 || s->before.length > 0 || s->skipped.length > 0 ? READ_SENTENCE : READ_END;
}

/*
 * Do what sentence_begin() and sentence_room() do, for trees and CoNLL-U: TREE_COLUMNS cells, a head, an empty lead
 * after the word.
 */
bool tree_begin(struct reader *reader, struct sentence *s, struct vouch_error *err);
bool tree_room(struct reader *reader, struct sentence *s, size_t bytes, struct vouch_error *err);

/* Whether a label, head or relation that is not in JSON is open: see reader.h. */
bool is_open(const struct reader *reader, struct text label);

/* Returns the gold label of the word at hand, empty if it is open, which is counted. */
struct text sentence_gold(const struct reader *reader, struct sentence *s, struct text label);

/* Counts the roots of a sentence whose heads are in place, and refuses heads that are no tree. */
bool tree_check(struct reader *reader, struct sentence *s, struct vouch_error *err);

/* The write() of two formats whose writers are files of their own. */
bool conllu_write(struct output *out, const struct writer_options *options, const struct sentence *sentence,
                  const uint32_t *head, const struct text *label, const struct marks *marks, struct vouch_error *err);
bool jsonl_write(struct output *out, const struct writer_options *options, const struct sentence *sentence,
                 const uint32_t *head, const struct text *label, const struct marks *marks, struct vouch_error *err);

/* The keys of JSON lines of labels, and of trees: those of answers [0] and of gold [1]. */
struct json_keys {
    const char *place[2];           /* the first that is looked for */
    const char *head[2], *label[2]; /* NULL: there are none */
    const char *numbers, *spans;    /* of confidence: those of words, and of chunks if there are any */
    const char *choice;             /* of an alternative */
};
extern const struct json_keys json_keys[2]; /* by whether they are trees */

/* JSON lines: writes {"error": ..., "line": ...} for a sentence that could not be read. */
bool jsonl_write_fault(struct output *out, const struct sentence *sentence, struct vouch_error *err);

/* JSON lines: writes the answer as gold; `head` is NULL if it is no tree, `label` if there are no relations. */
bool jsonl_write_gold(struct output *out, const struct sentence *sentence, const struct text *label,
                      const uint32_t *head, struct vouch_error *err);

/* CRFsuite: writes the line of a word as it was read, with this label. */
void crfsuite_write_line(struct output *out, const struct writer_options *options, const struct sentence *sentence,
                         uint32_t word, struct text label, const struct marks *marks);

/*
 * Write what surrounds words as it was: the blank lines before a sentence, the end of a word's line, the blank line
 * after it. A sentence that is written alone has no such lines before it, complete ends of lines, and a blank line
 * after it.
 */
void write_front(struct output *out, const struct writer_options *options, const struct sentence *sentence);
void write_end(struct output *out, const struct writer_options *options, const struct sentence *sentence,
               uint32_t word);
void write_behind(struct output *out, const struct writer_options *options, const struct sentence *sentence);

/* Returns the end of lines that are added to a sentence. */
struct text newline_of(const struct sentence *sentence);

/* Returns "HeadConf" if `column` is 0, else "UposConf" or the like. */
const char *conllu_conf(uint32_t column, char *room /* [CONLLU_CONF] */);

/* Returns the key of a method, to read them again: `name` for the first and "HeadConf_KdFix" for others. */
struct text conllu_key(const char *name, const char *method, bool first, char *room /* [CONLLU_KEY] */);
/* Find the value of a comment before a sentence, and of an attribute of MISC; false if it is not there. */
bool conllu_comment(struct text before, struct text key, struct text *value);
bool conllu_attribute(struct text misc, struct text key, struct text *value);

/* Writes a confidence: six digits at most and a full stop in every locale, "inf", or "_" for NAN. */
void write_number(struct output *out, double x);

/* Writes "{label label2}": the first `count` members of set i; nothing if there are none. */
void write_members(struct output *out, const struct choice_sets *sets, uint32_t i, uint32_t count);

/* Returns the number of the chunk that begins at the word, or UINT32_MAX; spans are in the order of words. */
uint32_t span_at(const struct confidences *confidences, uint32_t word);

/* Reads a confidence as write_number() writes it. */
bool read_number(struct text text, double *number);

/* Returns a number of a list that may be NULL. */
static inline double number_at(const double *list, uint32_t i)
{
    return list ? list[i] : NAN;
}

static inline bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static inline bool all_blank(struct text line)
{
    for (uint32_t i = 0; i < line.length; i++)
        if (!is_blank(line.at[i]))
            return false;
    return true;
}

static inline void write_text(struct output *out, struct text text)
{
    output_write(out, text.at, text.length);
}

#endif
