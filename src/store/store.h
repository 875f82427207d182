/*
 * The store: documents, sentences, models, annotators and what annotators decided, in one SQLite file. This room is
 * the only code that sees SQL.
 *
 * Decisions are only ever added. Triggers refuse to change or remove one; an undo is a decision, too, which names the
 * one that it takes back. Everything else that is said of a sentence (its state, its answer) is a function of the
 * decisions that stand, computed when it is asked for, so that nothing can disagree with them.
 *
 * store_decide() returns after the decision is on the disk (write-ahead log, synchronous=FULL): a process that is
 * killed, or a machine that loses its power, loses at most a decision whose id was not returned yet. A call that fails
 * changes nothing, sets the error, and leaves the store usable: the next call may succeed, and reading goes on where
 * writing cannot.
 *
 * Threads: a struct store is one connection without a lock of its own. Calls must not overlap: whoever shares one
 * between threads holds a mutex around each call (and around a whole visit). Any number of others, in threads or
 * processes, may read the same file beside it by STORE_READ.
 *
 * Memory: what a visit's callback gets is valid until it returns. Callbacks must not write to the store; they may read
 * from it, but for another visit of the same kind. A callback that returns false ends the visit, which then fails with
 * the error that the callback set.
 */
#ifndef VOUCH_STORE_STORE_H
#define VOUCH_STORE_STORE_H

#include "base/buffer.h"
#include "base/output.h"
#include "core/scheme.h"
#include "text/reader.h"

#include <jansson.h>
#include <stdint.h>

struct store;

/* ---- Opening ---- */

/*
 * STORE_READ needs a store that exists, takes no lock, and writes nothing. STORE_WRITE creates a store if there is
 * none, brings an older one up to date, and takes the lock: the file FILE.lock beside it, by flock(), which the system
 * releases however the process ends. A second process is refused with the first one's number.
 */
enum store_mode {
    STORE_READ,
    STORE_BESIDE, /* the same without looking for damage, which takes time: beside one that is open, or to check it */
    STORE_WRITE
};

/*
 * Opens a store; NULL on failure: it is not a store, damaged (found by SQLite's integrity_check, which reads all of the
 * file), made by a later version, in use, or the disk does not let it be written. The file is then as it was.
 */
struct store *store_open(const char *path, enum store_mode mode, struct vouch_error *err);
void store_close(struct store *store); /* NULL is allowed */

const char *store_path(const struct store *store);

/*
 * Checks everything: SQLite's integrity_check and foreign keys; that the bytes of every document are those that were
 * read, by their digest; that answers can be read and fit their sentences; that every undo names a decision. Calls
 * `found` for each problem. Fails only if it could not look.
 */
typedef bool (*store_problem_visit)(void *context, const char *problem, struct vouch_error *err);
bool store_check(struct store *store, store_problem_visit found, void *context, struct vouch_error *err);

/* Writes the file anew without the space that is not used any more; or a copy to `path`, which must not exist. */
bool store_vacuum(struct store *store, const char *path /* NULL: in place */, struct vouch_error *err);

/* Settings: small texts by name. store_setting() returns NULL in *value if there is none; else free() it. */
bool store_setting(struct store *store, const char *name, char **value, struct vouch_error *err);
bool store_set(struct store *store, const char *name, const char *value, struct vouch_error *err);

/* ---- Answers ---- */

#define HEAD_OPEN UINT32_MAX

/*
 * Labels, or a tree, for all words of a sentence, any of which may be open: not answered, or not decided on. Stored as
 * {"labels": [...]} or {"heads": [...], "relations": [...]} with null for what is open.
 */
struct store_answer {
    uint32_t words;           /* 0: there is no answer */
    const struct text *label; /* [words] labels, or relations; at NULL: open; NULL: none is known */
    const uint32_t *head;     /* [words] 0 the root, else a word from 1; HEAD_OPEN; NULL: the answer is no tree */
};

/* Returns it as it is stored, or null if there is none; NULL without memory. */
json_t *store_answer_json(const struct store_answer *answer);

/* Whether nothing is said of a word. */
bool answer_open(const struct store_answer *answer, uint32_t word);

/* Whether something is said of every word: a label that is neither _ nor ?, and in a tree a head. */
bool answer_whole(const struct store_answer *answer);

/* ---- Documents and their sentences ---- */

struct store_document {
    int64_t id;
    const char *name;
    const char *digest;            /* of its bytes, uncompressed: 32 digits of XXH3 */
    int64_t position;              /* among the documents, from 1 */
    int64_t when;                  /* milliseconds since 1970, as all times here */
    struct reader_options reading; /* as it was read: format, gold and columns are settled */
    uint64_t sentences, words;     /* without document marks */
};

/*
 * Adds a document: a file in any format that the reader knows, compressed or not, or its bytes. Its sentences keep
 * their own lines, so that a document is the bytes of its sentences one after the other. All of it is added, or
 * nothing. *id is the document's number; if one of that name is there with the same bytes and read in the same way, it
 * is that one's and nothing is added. Fails if one of that name has other bytes.
 */
bool store_add_file(struct store *store, const char *path, const char *name /* NULL: its path */,
                    const struct reader_options *reading, int64_t *id, struct vouch_error *err);
bool store_add_bytes(struct store *store, const void *bytes, size_t length, const char *name,
                     const struct reader_options *reading, int64_t *id, struct vouch_error *err);

typedef bool (*store_document_visit)(void *context, const struct store_document *document, struct vouch_error *err);
bool store_documents(struct store *store, store_document_visit visit, void *context, struct vouch_error *err);

struct store_sentence {
    int64_t id, document;
    uint64_t place;            /* in its document, from 0, without document marks */
    uint64_t line;             /* of its first word in the document */
    uint64_t words_digest;     /* sentence_words_digest() */
    uint32_t words;            /* N */
    struct text bytes;         /* its lines, with blank lines and comments before it */
    struct store_answer given; /* what the document has */
};

/* Visits the sentences of a document, or of all if it is 0, in order, without document marks. */
typedef bool (*store_sentence_visit)(void *context, const struct store_sentence *sentence, struct vouch_error *err);
bool store_sentences(struct store *store, int64_t document, store_sentence_visit visit, void *context,
                     struct vouch_error *err);

/*
 * Reads a sentence as its document's reader does, with all its columns; `into` as for reader_next(). `document` may be
 * NULL; it gets the document's number.
 */
bool store_read_sentence(struct store *store, int64_t sentence, struct sentence *into, int64_t *document,
                         struct vouch_error *err);

/*
 * Gets a whole document: appends its bytes, and copies how to read them, for reader_open_memory(). Its n-th sentence
 * that is neither a mark nor a rest is the one with place n.
 */
bool store_read_document(struct store *store, int64_t document, struct buffer *bytes, struct reader_options *reading,
                         struct vouch_error *err);

/* ---- Annotators ---- */

struct store_annotator {
    int64_t id;
    const char *name;
    const char *token_digest; /* of what lets the annotator in; NULL: nothing does. The store does not interpret it */
    int64_t when;
};

/* Adds an annotator, or changes the digest of the one with that name. */
bool store_add_annotator(struct store *store, const char *name, const char *token_digest, int64_t *id,
                         struct vouch_error *err);
typedef bool (*store_annotator_visit)(void *context, const struct store_annotator *annotator, struct vouch_error *err);
bool store_annotators(struct store *store, store_annotator_visit visit, void *context, struct vouch_error *err);

/* Finds one by name, or by token digest if `name` is NULL; *id is 0 if there is none. */
bool store_find_annotator(struct store *store, const char *name, const char *token_digest, int64_t *id,
                          struct vouch_error *err);

/* ---- Decisions ---- */

enum decision_kind {
    DECISION_ACCEPT,      /* what was shown is right */
    DECISION_EDIT,        /* the answer is `after` */
    DECISION_SKIP,        /* somebody else, or later */
    DECISION_FLAG,        /* something is wrong with the sentence itself */
    DECISION_COMMENT,     /* a note, which leaves state and answer as they are */
    DECISION_ACKNOWLEDGE, /* an exception that is as it should be: `note` names it */
    DECISION_UNDO,        /* `of` does not stand any more */
    DECISION_REDO,        /* `of`, which was undone, stands again */
    DECISION_KINDS
};
const char *decision_kind_name(enum decision_kind kind); /* "accept" */
bool decision_kind_named(const char *name, enum decision_kind *kind);

/* Whether decisions of a kind have an answer. */
static inline bool decision_answers(enum decision_kind kind)
{
    return kind == DECISION_ACCEPT || kind == DECISION_EDIT;
}

struct store_decision {
    /* Of a new one the caller sets the rest of the fields; zero means that there is nothing to say. */
    int64_t annotator, sentence;
    enum decision_kind kind;
    int64_t of;                 /* undo, redo: that decision; comment: the one it is about, or 0 */
    const char *key;            /* made up by the client for this decision, so that it can be sent twice; or NULL */
    struct store_answer after;  /* accept, edit: words that were decided on; the others are open */
    uint32_t from, to;          /* comment, flag, acknowledge: about words from .. to - 1; 0, 0: about the sentence */
    const char *note;           /* a comment's text; NULL: none */
    struct store_answer shown;  /* what the annotator saw before deciding; none if blind */
    bool blind;                 /* no answer was shown: only these measure */
    const char *order;          /* the name of the queue's order, such as "doubt"; NULL: the sentence was looked up */
    uint64_t rank;              /* its place in that order, from 1; 0: none */
    const char *reason;         /* why it is there, in words; NULL: none */
    const char *model;          /* digest of the model whose answer was shown, or that ranked it; NULL: none */
    double confidence;          /* in what was shown; NAN: none */
    double seconds;             /* from showing to deciding; NAN: not measured */
    const char *details;        /* JSON, whatever else is to be remembered: confidence by word, alternatives; or NULL */
    int64_t when;               /* 0: now */
    /* The store sets these. */
    int64_t id;
    struct store_answer before; /* this annotator's answer before, over the document's own; none if there was none */
    bool changed;               /* a word is not what was shown or, if nothing was, not what was before */
    bool stands;                /* it was not undone, or was redone; undo and redo themselves stand */
};

/*
 * Adds a decision; *id is its number, once it is on the disk. If the annotator has a decision with that key already,
 * *id is that one's and nothing is added. Fails (VOUCH_ERR_ARGUMENT) for an answer that does not fit the sentence,
 * words that an accept or edit leaves all open, or an undo of what does not stand or is another annotator's.
 */
bool store_decide(struct store *store, const struct store_decision *decision, int64_t *id, struct vouch_error *err);

/*
 * Undoes the annotator's last accept, edit, skip or flag that stands: *undone is its number, 0 if there is none. If the
 * annotator has undone one with that key (NULL: none) before, *undone is that one, and nothing changes.
 */
bool store_undo_last(struct store *store, int64_t annotator, const char *key, int64_t *undone, struct vouch_error *err);

/* Redoes what was undone last, unless something was decided since: *redone is 0 then. */
bool store_redo_last(struct store *store, int64_t annotator, const char *key, int64_t *redone, struct vouch_error *err);

/* Which decisions to visit: zero means any. The newest first if `newest`. */
struct decision_query {
    int64_t annotator, sentence, document;
    int64_t after_id;     /* those with a larger number */
    uint32_t kinds;       /* bits 1 << kind; 0: all */
    enum { BLIND_ANY, BLIND_ONLY, BLIND_NOT } blind;
    bool standing;        /* without what was undone, and without undo and redo */
    bool newest;
    uint64_t limit;       /* 0: none */
};
typedef bool (*store_decision_visit)(void *context, const struct store_decision *decision, struct vouch_error *err);
bool store_decisions(struct store *store, const struct decision_query *query, store_decision_visit visit, void *context,
                     struct vouch_error *err);

/* Returns the number of the last decision in *id, and how many there are; 0 if there are none. */
bool store_last_decision(struct store *store, int64_t *id, uint64_t *count, struct vouch_error *err);

/* ---- The state of sentences ---- */

/*
 * Of a sentence for an annotator, by the last accept, edit, skip or flag that stands: after an accept or edit, whether
 * any that stands changed something. Comments and acknowledgements leave it as it is.
 */
enum sentence_state { STATE_UNSEEN, STATE_UNCHANGED, STATE_CHANGED, STATE_SKIPPED, STATE_FLAGGED, SENTENCE_STATES };
const char *sentence_state_name(enum sentence_state state); /* "unseen" */

bool store_state(struct store *store, int64_t sentence, int64_t annotator, enum sentence_state *state,
                 struct vouch_error *err);

/* Counts sentences by state for an annotator; of several (0: all) each sentence by that of the latest decision. */
bool store_count_states(struct store *store, int64_t annotator, uint64_t count[SENTENCE_STATES],
                        struct vouch_error *err);

/* ---- Answers as they stand, for learning, measuring and exporting ---- */

/*
 * How the decisions of several annotators become one answer, word by word: the latest; what most say, and open in a
 * tie; or what all say who decided on the word, and open if they differ. In a tree, if words of several annotators make
 * no tree together, the answer is that of the latest annotator alone.
 */
enum store_merge { MERGE_LATEST, MERGE_MAJORITY, MERGE_AGREED };

struct answer_query {
    int64_t annotator; /* 0: all, merged */
    int64_t document;  /* 0: all */
    enum store_merge merge;
    enum { DECIDED_ANY, DECIDED_BLIND, DECIDED_SEEN } blind; /* by which decisions: any, blind ones, or the others */
    int64_t upto;      /* decisions with a larger number do not count; 0: all count */
};

struct stored_answer {
    int64_t sentence, document;
    uint64_t place;
    const struct store_answer *given, *decided; /* `decided`: words that nobody decided on are open */
    enum sentence_state state;                  /* by the latest decision */
    int64_t last;                               /* that decision */
    bool blind;                                 /* a decision that counts was blind */
    uint32_t annotators;                        /* that decided on it: */
    const int64_t *annotator;                   /* [annotators] */
    const struct store_answer *by;              /* [annotators] what each decided */
};

/* Visits the sentences with a decided word, in the order of the documents. */
typedef bool (*stored_answer_visit)(void *context, const struct stored_answer *answer, struct vouch_error *err);
bool store_answers(struct store *store, const struct answer_query *query, stored_answer_visit visit, void *context,
                   struct vouch_error *err);

/*
 * Writes a document with what was decided, as it was read: sentences in which nothing was changed byte for byte,
 * others with their labels, or heads and relations, replaced. Where there is no place for them in the document they are
 * added, as vouch tag does; words without a label then get `open`.
 */
struct store_export {
    struct answer_query answers; /* its document must be set */
    bool decided_only;           /* only sentences with a decided word */
    const char *open;            /* written for words that were not decided on, null in JSON lines; NULL: they stay as
                                    they are in the document, and if that has no labels they are "_", or null. Set,
                                    sentences with such words are in IOB2 where the document is in IOB1 */
    bool completed;              /* with `open`: but where the document labels all words, they keep its labels */
    /* Decides whether an answer counts; without it the sentence is as if nothing was decided. NULL: all count. */
    bool (*wanted)(void *context, const struct stored_answer *answer);
    void *context;
    bool whole;                  /* only sentences of which every word is labelled, by decisions or by the document */
    uint64_t *left_out;          /* with `whole`: counts the others; NULL: they are not counted */
    bool states;                 /* every sentence tells its state: a comment "# vouch_state = changed" before it, in
                                    JSON lines the key "vouch_state" */
};
bool store_export(struct store *store, const struct store_export *what, struct output *out, struct vouch_error *err);

/* ---- Models and how learning went ---- */

struct store_model {
    const char *digest; /* of the file, as its maker computes it: the store does not interpret it */
    const char *file;   /* where it is; NULL: nowhere */
    const char *parent; /* digest of the model that learning went on from, or NULL */
    int64_t upto;       /* it learned from decisions up to this one that stood, and were not blind, when it was made */
    int64_t when;
    const char *details; /* JSON, or NULL */
};
bool store_add_model(struct store *store, const struct store_model *model, struct vouch_error *err);
typedef bool (*store_model_visit)(void *context, const struct store_model *model, struct vouch_error *err);
bool store_models(struct store *store, store_model_visit visit, void *context, struct vouch_error *err); /* by time */

/* A point of a learning curve, such as F1 on blind items. */
struct store_point {
    int64_t decisions;  /* after so many */
    const char *name;   /* of the measure */
    double value, low, high;
    uint64_t items;     /* that it was measured on */
    const char *model;  /* digest */
    int64_t when;
};
bool store_add_point(struct store *store, const struct store_point *point, struct vouch_error *err);
typedef bool (*store_point_visit)(void *context, const struct store_point *point, struct vouch_error *err);
bool store_curve(struct store *store, const char *name /* NULL: all */, store_point_visit visit, void *context,
                 struct vouch_error *err);

#endif
