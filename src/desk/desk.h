/*
 * The desk: annotators decide on the sentences of a store, and a model learns from what they decide.
 *
 *     desk.c            opening: corpora into the store, what is blind, what is shared; closing
 *     desk_answers.c    a model's answer to a sentence; the best answer that agrees with what is fixed
 *     ranking.c         every sentence answered and scored, for the orders of the queue
 *     queue.c           who gets which sentence next
 *     item.c            a sentence as it is shown: words, answer, and why it is there, in plain words
 *     context.c         what is near it: neighbours, the same words elsewhere
 *     decide.c          what an annotator decided: read, checked, stored; undo, redo, comments
 *     rounds.c          learning in the background: what to learn from, what becomes of the model
 *     blind_set.c       what a model gets right in the blind sentences that were decided on
 *     outlook.c         how good the model is, and what more would bring
 *     reliability.c     whether its probabilities can be believed
 *     complete.c        the best tree with given heads
 *     figures.c         progress, measures, forecast, curves, models
 *     settling.c        how far annotators agree, and what is to be settled
 *     export.c          the corpus in all formats
 *     corpus_review.c   what is probably wrong in the corpora's own labels: see corpus_review.h
 *     material.c        texts that a model is learned from; for everybody who learns here
 *     learner.c         the thread that learns; for everybody, too
 *
 * Some sentences are blind: a share of all, drawn by a hash of their words and a seed, so that no model has a say. They
 * are shown without a suggestion, never learned from, and the only ones that measure. Others are double: two annotators
 * get them, without seeing each other's answers, and the model learns from them when both have decided. Every other
 * sentence is asked of one annotator.
 *
 * Requests and results are JSON, described in docs/SERVE.md. Every function may be called by any thread: a mutex of the
 * desk lets them in one by one, and none waits for learning. A failure with VOUCH_ERR_ARGUMENT or VOUCH_ERR_FORMAT is
 * the client's, with VOUCH_ERR_IO the store's.
 */
#ifndef VOUCH_DESK_DESK_H
#define VOUCH_DESK_DESK_H

#include "base/buffer.h"
#include "base/output.h"
#include "base/work.h"
#include "desk/learner.h"
#include "text/reader.h"

#include <jansson.h>

#define USUAL_BLIND 0.1

struct desk_options {
    const char *store;             /* NULL: beside the first corpus */
    char *const *corpus;           /* [corpora] files */
    size_t corpora;
    struct reader_options reading; /* of these */
    const char *model;             /* a model to go on from; NULL: the corpora's own labels are learned first */
    const char *task;              /* what to learn without a model; NULL: as the corpora look */
    uint32_t use;                  /* without a model, so many columns are learned from; 0: all */
    const char *labels;            /* to choose from besides those that are known, separated by commas; or NULL */
    double blind, twice;           /* shares of all sentences: measured on (NAN: USUAL_BLIND, but none where the
                                      corpora label every sentence); asked of two annotators */
    double threshold;              /* answers with less confidence are doubtful */
    uint32_t every;                /* learn after so many decisions; 0: only when asked */
    struct work work;
    /* Serves the model in that file under that name from now on; NULL: it is not served. Called by any thread. */
    bool (*publish)(void *context, const char *name, const char *path, struct vouch_error *err);
    void *context;
    double (*clock)(void *clock_context); /* seconds that never go back; NULL: seconds_now() */
    void *clock_context;
};

struct desk;

/* Opens the store, adds corpora that it does not have yet, and ranks; NULL on failure. */
struct desk *desk_open(const struct desk_options *options, struct learner *learner, struct vouch_error *err);
void desk_close(struct desk *desk); /* after the learner; NULL is allowed */

const char *desk_store_path(const struct desk *desk);

/* What the desk is about: task, labels, orders, documents, annotators, counts, the model, the state of learning. */
json_t *desk_about(struct desk *desk, struct vouch_error *err);

/* The next sentences for an annotator, in an order by name: "learning", "doubt", "suspects", "disagreement" or
 * "document"; NULL: learning. The first stays what it is until it is decided on. */
json_t *desk_queue(struct desk *desk, const char *annotator, const char *order, uint32_t limit,
                   struct vouch_error *err);

/* One sentence as in the queue, with this annotator's answer so far. */
json_t *desk_sentence(struct desk *desk, const char *annotator, int64_t sentence, struct vouch_error *err);

/* Stores a decision, and returns its number once it is on the disk. */
json_t *desk_decide(struct desk *desk, const char *annotator, const json_t *decision, struct vouch_error *err);

/* Takes back the annotator's last decision that stands; and takes that back. "decision" is null if there is none. What
 * is asked again with the same key (NULL: none) happens once. */
json_t *desk_undo(struct desk *desk, const char *annotator, const char *key, struct vouch_error *err);
json_t *desk_redo(struct desk *desk, const char *annotator, const char *key, struct vouch_error *err);

/* Decisions, the newest first; `annotator` NULL: of all; `sentence` 0: any. */
json_t *desk_decisions(struct desk *desk, const char *annotator, int64_t sentence, uint64_t limit,
                       struct vouch_error *err);

/* The best answer in which some words have given heads or labels: {"sentence": 7, "heads": [null, 3, ...]}. */
json_t *desk_complete(struct desk *desk, const json_t *fixed, struct vouch_error *err);

/* Counts by state, share right on blind sentences with its interval, forecast, seconds a decision, doubt by type. */
json_t *desk_measures(struct desk *desk, struct vouch_error *err);
json_t *desk_curves(struct desk *desk, struct vouch_error *err);
json_t *desk_models(struct desk *desk, struct vouch_error *err);

/* How far annotators agree, with intervals, and where they do not. */
json_t *desk_agreement(struct desk *desk, struct vouch_error *err);

/* Serves an earlier model again, known by its digest: it is learned again, then learning waits to be asked. */
json_t *desk_use(struct desk *desk, const char *digest, struct vouch_error *err);

/* The file of the model in use; "" if there is none, or it is gone. Its bytes change with the next round. */
const char *desk_model_path(struct desk *desk);

/* What is exported: without a format, one document as it was read; with one, of vouch convert, one or all. */
struct export_request {
    const char *document, *annotator; /* NULL: all */
    const char *format;
    bool decided_only;
};

/* Writes the corpus with what was decided, and adds what another format lost to `said`, a line each. */
bool desk_export(struct desk *desk, const struct export_request *what, struct output *out, struct buffer *said,
                 struct vouch_error *err);

/* Tells how much would be exported, and what would be lost; the request has a format. */
json_t *desk_export_said(struct desk *desk, const struct export_request *what, struct vouch_error *err);

/* The ending of a file in that format; and all formats, with their titles. */
const char *export_extension(const char *format);
json_t *export_formats_json(void);

/*
 * Review: the suspects of the last round with what was decided about them, without the list if the client knows the one
 * with that identity; a new round, {"audit": 50} if it is to be drawn at random; decisions about suspects; and those
 * that stand as the table that vouch review reads, all of them or the acknowledged ones.
 */
json_t *desk_suspects(struct desk *desk, const char *known, struct vouch_error *err);
json_t *desk_review(struct desk *desk, const json_t *body, struct vouch_error *err);
json_t *desk_decide_suspects(struct desk *desk, const char *annotator, const json_t *body, struct vouch_error *err);
bool desk_decided_table(struct desk *desk, bool acknowledged_only, struct output *out, struct vouch_error *err);

/* Asks the model to learn now; and returns how it stands. */
json_t *desk_learn(struct desk *desk, struct vouch_error *err);

#endif
