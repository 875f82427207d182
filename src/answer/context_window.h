/*
 * Delays a stream of sentences until what a first stage calls their words is known of the sentences around, and gives
 * them features of it (task/label_context.h).
 *
 * A sentence waits for N more, or for the end of its document or of the input; no longer, and never for time, so that
 * answers do not depend on when input arrives. The first stage answers in the thread that reads: it takes a small part
 * of the time of answering with confidence. Bad lines and document marks take a place among the N.
 *
 * Memory: 2 N + 1 sentences, of which half are words alone. Ranks each have the whole stream.
 */
#ifndef VOUCH_ANSWER_CONTEXT_WINDOW_H
#define VOUCH_ANSWER_CONTEXT_WINDOW_H

#include "answer/answer.h"
#include "text/reader.h"

struct context_window;

/* Makes a window for a model with a first stage. */
struct context_window *context_window_new(const struct vouch_model *model, struct vouch_error *err);
void context_window_free(struct context_window *window); /* NULL is allowed */

/* Does what reader_next() does: reads the next sentence, which has the features, as far as it needs. */
enum reading context_window_next(struct context_window *window, struct reader *reader, struct sentence *into,
                                 struct vouch_error *err);

/* Finds the features of `count` sentences of the caller, a document: rows [count]; of one that is NULL, none. */
bool context_window_batch(struct context_window *window, vouch_sentence *const *sentence, size_t count,
                          struct further_rows *rows, struct vouch_error *err);

#endif
