/*
 * Review mode: what is probably wrong in the labels that the corpora have, and what was decided about it.
 *
 *     corpus_review.c       a round in the background, as vouch review does it (review/review.h), and its list
 *     suspect_decisions.c   decisions about suspects: read, checked, stored
 *     suspects_told.c       the list and the counts as JSON, decisions as a table
 *
 * Sentences that the corpora label wholly are reviewed, but for blind ones, which show no suggestion: models learn from
 * parts of them, and judge the others. A round goes by all decisions that were made before it. Its list is a file
 * beside the store (STEM.suspects.json), so that a restart loses nothing; the store knows which list is its own.
 * Decisions are in the store like all others, about the words of the suspect alone, with the order "review", and the
 * suspect in their details.
 */
#ifndef VOUCH_DESK_CORPUS_REVIEW_H
#define VOUCH_DESK_CORPUS_REVIEW_H

#include "base/buffer.h"
#include "desk/learner.h"
#include "store/store.h"

#include <jansson.h>

/* A decision about a suspect. */
struct suspect_decision {
    int64_t id, annotator, sentence;
    json_t *details; /* {"suspect": {...}, "decision": "+", "wanted": "..."} */
    bool stands;
};

/* How far a round is: models learn from parts of the corpus, judge the others, learn from a copy with errors in it, and
 * judge that. */
struct review_step {
    enum vouch_event_kind kind; /* VOUCH_EVENT_HOLDING_OUT or VOUCH_EVENT_JUDGING */
    bool again;                 /* the models of the copy */
    uint64_t done, of;          /* passes, or blocks of sentences; `of` 0: nothing is known yet */
};

/* Guarded by the desk's lock. */
struct corpus_review {
    struct student student;
    json_t *list;    /* of the last round, as review_json() has it, and "suspects" and "round"; NULL: none yet */
    json_t *suspect; /* by id: the suspects of all rounds since the desk was opened */
    json_t *standing; /* by id: the number in `item`, from 1, of the decision that stands; 0: none does any more */
    uint64_t round, fresh, audit; /* rounds so far; decisions since the last began; the next is an audit of so many */
    double seconds;  /* that the last round took */
    double began;    /* when the round that runs did, by seconds_now(); 0: none runs */
    struct review_step step; /* of the round that runs */
    struct suspect_decision *item; /* [items] by number, of the store up to: */
    size_t items, item_capacity;
    int64_t upto;
};

struct desk;

/* Finds the list of the last round, if it was kept. */
bool review_begin(struct desk *desk, struct vouch_error *err);
void review_end(struct desk *desk);

/* ---- For the files of review mode; with the lock ---- */

/* Reads what was decided since the last time. */
bool review_catch_up(struct desk *desk, struct vouch_error *err);

/* The decision about a suspect that stands; NULL: it waits. */
const struct suspect_decision *suspect_decided(const struct corpus_review *review, const char *id);

/* A member of a suspect that is a text; "" if it is not there. */
const char *suspect_text(const json_t *suspect, const char *member);

/* The id of the suspect in the details of a decision. */
const char *suspect_id(const json_t *details);

/* The number of a suspect among all: a hash of where it is, of what is given and what is proposed. */
void suspect_identify(json_t *suspect);

/* Stores what an annotator decided about suspects, nothing of it if any is not as it should be. If the disk fails
 * between two of them, the first is stored: to send the same again is right. */
bool suspects_decide(struct desk *desk, const char *annotator, const json_t *body, struct vouch_error *err);

/* Writes the decisions that stand as a table that vouch review reads; `path` NULL: with the names of the documents. */
bool decisions_table(const struct desk *desk, const char *const *path, bool acknowledged_only, struct output *out,
                     struct vouch_error *err);

#endif
