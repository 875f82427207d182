/*
 * What the files of this room share: the connection, statements, and how SQLite's errors become ours.
 */
#ifndef VOUCH_STORE_SQL_H
#define VOUCH_STORE_SQL_H

#include "store/store.h"

#include <jansson.h>
#include <sqlite3.h>

struct store {
    sqlite3 *db;
    char *path;
    int lock;          /* the file descriptor that holds the lock; -1: none */
    bool writes;
};

/* ---- Statements: sql.c ---- */

/* Fails with what SQLite said last, in words for people; returns false. */
bool fail_sql(const struct store *store, struct vouch_error *err);

/* A statement that was prepared, at one of its rows. Close it in any case; a zeroed one is allowed. */
struct sql {
    const struct store *store;
    sqlite3_stmt *statement;
};

/*
 * Prepares a statement and binds values, whose types are letters, one for each '?':
 *
 *     i   int64_t             n   int64_t, NULL if it is 0
 *     t   const char *, may be NULL
 *     b   struct text, as a blob; NULL if its `at` is
 *     d   double; NULL if it is NAN
 *
 * The bytes stay the caller's until the statement is closed.
 */
bool sql_open(struct sql *sql, const struct store *store, struct vouch_error *err, const char *text, const char *types,
              ...);
void sql_close(struct sql *sql);

/* Makes it ready for other values. */
bool sql_again(struct sql *sql, struct vouch_error *err, const char *types, ...);

/* Moves to the next row: READ_SENTENCE if there is one. */
enum reading sql_row(struct sql *sql, struct vouch_error *err);

/* The same for a loop over all rows: whether there is one, if *ok; that becomes false on failure. */
bool sql_next(struct sql *sql, bool *ok, struct vouch_error *err);

/* Values of the row, from column 0. Texts are NULL where the column is, and valid until the next row. */
int64_t sql_whole(const struct sql *sql, int column);
double sql_real(const struct sql *sql, int column); /* NAN for NULL */
const char *sql_string(const struct sql *sql, int column);
struct text sql_text(const struct sql *sql, int column); /* of a blob, too; `at` is NULL for NULL */

/* Do a statement that has no rows; find the whole number that it gives, 0 if it gives none. */
bool sql_run(const struct store *store, struct vouch_error *err, const char *text, const char *types, ...);
bool sql_find(const struct store *store, int64_t *found, struct vouch_error *err, const char *text, const char *types,
              ...);

/* Begin to write; end with what was written (if `ok`) or without it. Whatever fails, no transaction is left open. */
bool sql_begin(struct store *store, struct vouch_error *err);
bool sql_end(struct store *store, bool ok, struct vouch_error *err);

/* Writes the digest of bytes. */
void store_digest(const void *bytes, size_t length, char digest[33]);

/* Returns the milliseconds since 1970. */
int64_t time_now(void);

/* The kinds of decisions that a sentence's state depends on. */
#define STATE_KINDS "('accept', 'edit', 'skip', 'flag')"

/* Returns the state of a sentence after a decision; `changed`: one that stands changed something. */
enum sentence_state state_after(enum decision_kind kind, bool changed);

/* ---- Answers as JSON: stored_answers.c ---- */

/* The memory of an answer that was read. Zero it before first use; `json` owns the labels. */
struct answer_room {
    json_t *json;
    struct text *label; /* [words] */
    uint32_t *head;     /* [words] */
    size_t label_capacity, head_capacity;
};
void answer_room_release(struct answer_room *room);

/* Reads an answer; no text, or the JSON value null, is none. Fails (VOUCH_ERR_FORMAT) if it is something else. */
bool answer_read(struct answer_room *room, struct text json, struct store_answer *answer, struct vouch_error *err);

/* Reads an answer in a row, of a sentence with so many words. */
bool answer_in_row(struct answer_room *room, const struct sql *sql, int column, int64_t words,
                   struct store_answer *answer, struct vouch_error *err);

/* Whether a name can be shown everywhere: in JSON, in a line, in a column. */
bool is_name(const char *name);

/* Writes an answer as JSON, to free(); *json is NULL if there is none. */
bool answer_write(const struct store_answer *answer, char **json, struct vouch_error *err);

/* Whether two answers say the same of a word. */
bool answer_same(const struct store_answer *a, const struct store_answer *b, uint32_t word);

/* Visits the answer to one sentence, if a word of it was decided on, as store_answers() does. */
bool answers_of_sentence(struct store *store, const struct answer_query *query, int64_t sentence,
                         stored_answer_visit visit, void *context, struct vouch_error *err);

/* An answer that is built word by word from others, all open at first. */
struct answer_build {
    struct text *label;
    uint32_t *head;
    size_t label_capacity, head_capacity;
    struct store_answer answer;
    uint32_t *walk;
    size_t walk_capacity;
};
void answer_build_release(struct answer_build *build);
bool answer_build_begin(struct answer_build *build, uint32_t words, bool trees, struct vouch_error *err);

/* Takes over what `from` says of a word; nothing if that is open. */
void answer_build_take(struct answer_build *build, const struct store_answer *from, uint32_t word);
void answer_build_take_all(struct answer_build *build, const struct store_answer *from);

/* Returns a word, from 1, on a cycle of the heads that are known; 0 if there is none, as of labels. */
bool answer_build_cycle(struct answer_build *build, uint32_t *word, struct vouch_error *err);

#endif
