/*
 * Counts what a text calls its words: counts (core/answer_counts.h) of a model's own answers, of a batch or of the
 * sentences around in a stream.
 *
 * A name that is labelled a place everywhere else in a file, and here a person, is wrong more often than the model's
 * confidence tells: "one sense per discourse" (Gale, Church and Yarowsky 1992), label consistency (Krishnan and Manning
 * 2006). The committee with the text (COMMITTEE_TEXT) uses it. A text is answered twice: first to count, without
 * confidence, then with it; the sentence itself is left out of the counts.
 *
 * A window cuts a stream into blocks of sentences; confidence is estimated with what a block and the one before it call
 * the words. So a stream needs no end, and a file is answered as a stream of the same sentences is. Where a block ends
 * depends on the sentences alone, not on threads or on when input arrives. Most of what can be learned of a word stands
 * near it: texts of 100 or 500 sentences serve as well as whole files (docs/MEASUREMENTS.md).
 *
 * Ranks take a block each, and tell each other what they have counted.
 *
 * Memory: the sentences of one block, and a few slots of eight bytes for each different word of two.
 */
#ifndef VOUCH_ANSWER_TEXT_WINDOW_H
#define VOUCH_ANSWER_TEXT_WINDOW_H

#include "base/ranks.h"
#include "core/answer_counts.h"
#include "core/sentence.h"
#include "model/model.h"

/* Set the rules to begin with. */
struct text_counts {
    const struct span_rules *rules; /* of the first layer's labels; NULL: they spell no chunks */
    struct answer_counts layer[MAX_MODEL_LAYERS];
};

/* Counts the answer of one layer to a sentence. */
bool text_counts_add(struct text_counts *text, uint32_t layer, const struct parts *parts, const uint32_t *choice,
                     struct vouch_error *err);

/* Adds what another has counted. */
bool text_counts_add_all(struct text_counts *text, const struct text_counts *other, struct vouch_error *err);

void text_counts_release(struct text_counts *text);

/* A block ends after so many sentences, or with the sentence that makes it so many words. */
enum { WINDOW = 500, WINDOW_WORDS = 50000 };

struct text_window {
    const struct span_rules *rules; /* see struct text_counts */
    struct sentence *sentence;      /* [WINDOW] of which `count` are those of the block */
    uint32_t count;
    struct sentence passed; /* one of another rank's block */
    uint32_t threads;
    struct text_counts *counted;   /* [threads] by each thread, of this block */
    struct text_counts last, text; /* the block before; what confidence is estimated with */
};

/* Makes an empty window for answers of so many threads. Release it in any case. */
bool text_window_init(struct text_window *window, const struct span_rules *rules, uint32_t threads,
                      struct vouch_error *err);
void text_window_release(struct text_window *window);

/* Forgets the sentences of the last block, and what the threads have counted. */
void text_window_empty(struct text_window *window);

/*
 * Makes window->text of what was counted in this block and in the one before it. With ranks, that one is another
 * rank's: they have read a block each, in their order.
 */
bool text_window_settle(struct text_window *window, const struct ranks *ranks, struct vouch_error *err);

#endif
