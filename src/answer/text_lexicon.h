/*
 * Counts what a text calls its words: a lexicon (core/lexicon.h) of a model's own answers.
 *
 * A name that is labelled a place everywhere else in a file, and here a person, is wrong more often than the model's
 * confidence tells: "one sense per discourse" (Gale, Church and Yarowsky 1992), label consistency (Krishnan and Manning
 * 2006). The committee with the text (COMMITTEE_TEXT) uses it. A text is answered twice: first to count, without
 * confidence, then with it; the sentence itself is left out of the counts.
 *
 * Memory: a few slots of eight bytes for each different word.
 */
#ifndef VOUCH_ANSWER_TEXT_LEXICON_H
#define VOUCH_ANSWER_TEXT_LEXICON_H

#include "core/lexicon.h"
#include "model/model.h"

/* Set the rules to begin with. */
struct text_lexicon {
    const struct span_rules *rules; /* of the first layer's labels; NULL: they spell no chunks */
    struct lexicon layer[MAX_MODEL_LAYERS];
};

/* Counts the answer of one layer to a sentence. */
bool text_lexicon_add(struct text_lexicon *text, uint32_t layer, const struct parts *parts, const uint32_t *choice,
                      struct vouch_error *err);

/* Adds what another has counted. */
bool text_lexicon_add_all(struct text_lexicon *text, const struct text_lexicon *other, struct vouch_error *err);

void text_lexicon_release(struct text_lexicon *text);

#endif
