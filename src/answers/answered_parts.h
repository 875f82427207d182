/*
 * Declares what the formats of answered files share: see answered.h. Private to this folder.
 */
#ifndef VOUCH_ANSWERS_ANSWERED_PARTS_H
#define VOUCH_ANSWERS_ANSWERED_PARTS_H

#include "answers/answered.h"
#include "text/formats.h"

enum { SENTENCES_AHEAD = 100 }; /* sentences by which a file is judged */

struct answered_file {
    struct answered_options options;
    struct reader *reader;
    struct sentence ahead[SENTENCES_AHEAD];            /* the first ones, to be read again; then one for all others */
    uint32_t held, at;                                 /* how many there are, and how many have been read again */
    const struct sentence *sentence;                   /* at hand */
    uint64_t faults;                                   /* as answered_faults() has it */
    bool trees, relations;                             /* relations: the trees have them */
    bool commented;                                    /* CoNLL-U: comments are about what is read */
    char place[2][40];                                 /* of the answer, and of gold */
    uint32_t gold_column, answer_column, first_number; /* of columns, from 0 */
    struct json_t *object;                             /* of JSON lines: the one at hand, which views point into */
    struct answer_table table;                         /* of another program: `reader` is NULL */
    size_t next_row, row_at_hand;                      /* of the table: of the sentence to be read next, and at hand */

    uint32_t methods;
    struct answered_method method[MAX_METHODS];
    struct method_confidence by_method[MAX_METHODS];
    struct confidences confidences;
    double *number; /* [methods][2 * N + spans] words, relations, spans */
    struct span *span;
    struct text *label[2]; /* [N] answer, gold */
    uint32_t *head[2];     /* [N] */
    size_t number_capacity, span_capacity, label_capacity[2], head_capacity[2];
};

/* Fails with the file and a line of the sentence at hand in front of the message. */
bool answered_refuse(const struct answered_file *file, uint32_t word, struct vouch_error *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Adds a method; the name is made up if there is none. */
bool answered_add_method(struct answered_file *file, struct text name, bool calibrated, struct vouch_error *err);

/* Makes empty estimates, all NAN, for the N words and the spans of the sentence at hand. */
bool answered_abstain(struct answered_file *file, uint32_t spans, struct vouch_error *err);

/* Returns where the numbers of method m go, after answered_abstain(). */
double *answered_words(const struct answered_file *file, uint32_t m);
double *answered_relations(const struct answered_file *file, uint32_t m);
double *answered_spans(const struct answered_file *file, uint32_t m);

/* Each format has functions that find out what the file holds, and that read the parts of one sentence. */
bool answered_columns_header(struct answered_file *file, struct vouch_error *err); /* in front of that at hand */
bool answered_columns_settle(struct answered_file *file, struct vouch_error *err);
bool answered_columns_read(struct answered_file *file, struct answered *into, struct vouch_error *err);
void answered_json_release(struct answered_file *file);
bool answered_json_settle(struct answered_file *file, struct vouch_error *err);
bool answered_json_read(struct answered_file *file, struct answered *into, struct vouch_error *err);
bool answered_table_open(struct answered_file *file, const char *path, struct vouch_error *err);
enum reading answered_table_next(struct answered_file *file, struct answered *into, struct vouch_error *err);
bool answered_trees_settle(struct answered_file *file, struct vouch_error *err);
bool answered_trees_read(struct answered_file *file, struct answered *into, struct vouch_error *err);

#endif
