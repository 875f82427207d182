/*
 * A text window cuts a stream into stretches of sentences, each of which is answered twice. The first time its
 * answers are counted (text_lexicon.h); the second time, confidence is estimated with what this stretch and the one
 * before it call the words. So a stream needs no end, and a file is answered as a stream of the same sentences is.
 *
 * Where a stretch ends depends on the sentences alone, not on threads or on when input arrives. Most of what can be
 * learned of a word stands near it: texts of 100 or 500 sentences serve as well as whole files (docs/MEASUREMENTS.md).
 *
 * Ranks take a stretch each, and tell each other what they have counted.
 *
 * Memory: two stretches' words in a lexicon, and the sentences of one.
 */
#ifndef VOUCH_ANSWER_TEXT_WINDOW_H
#define VOUCH_ANSWER_TEXT_WINDOW_H

#include "base/ranks.h"
#include "text/reader.h"
#include "answer/text_lexicon.h"

/* Where sentences come from: as reader_next(). */
struct sentence_source {
    enum reading (*next)(void *context, struct sentence *into, struct vouch_error *err);
    void *context;
};

struct text_window {
    const struct span_rules *rules;  /* see text_lexicon.h */
    struct sentence *sentence;       /* [count] those of the stretch; there is room for the longest stretch */
    uint32_t count, taken, returned; /* sentences: all of them, those that have left, those that have come back */
    uint32_t threads;
    struct sentence passed;         /* one of another rank's stretch */
    struct text_lexicon *counted;   /* [threads] by each thread, of this stretch */
    struct text_lexicon last, text; /* the stretch before; what confidence is estimated with */
};

/* Makes an empty window for answers of so many threads. Release it in any case. */
bool text_window_init(struct text_window *window, const struct span_rules *rules, uint32_t threads,
                      struct vouch_error *err);

/*
 * Empties the window, and reads the next stretch: to keep its sentences, or to pass over it. READ_SENTENCE: there may
 * be more behind it; otherwise it is the last, perhaps an empty one.
 */
void text_window_empty(struct text_window *window);
enum reading text_window_read(struct text_window *window, const struct sentence_source *source, bool keep,
                              struct vouch_error *err);

/* Goes back to the first sentence of the stretch. */
void text_window_rewind(struct text_window *window);

/* Sentences of the stretch leave it in order, and come back in the same order. Taking returns false at the end. */
bool text_window_take(struct text_window *window, struct sentence *into);
void text_window_return(struct text_window *window, struct sentence *sentence);

/*
 * Makes window->text of what was counted in this stretch and in the one before it. With ranks, that one is another
 * rank's: they have read a stretch each, in their order.
 */
bool text_window_settle(struct text_window *window, const struct ranks *ranks, struct vouch_error *err);

void text_window_release(struct text_window *window);

#endif
