/*
 * Makes the lexicon of a corpus: what its words were called (see
 * core/lexicon.h).
 */
#ifndef VOUCH_TRAIN_COUNT_WORDS_H
#define VOUCH_TRAIN_COUNT_WORDS_H

#include "core/lexicon.h"
#include "train/dataset.h"

/* Adds the gold answers of `count` sentences of a layer, those of `subset` (NULL: the first ones). */
bool count_words(const struct dataset *dataset, uint32_t layer, const uint32_t *subset, uint32_t count,
                 struct lexicon *lexicon, struct vouch_error *err);

/* Does so with all examples. If ranks have them, the first one gets the lexicon of all; the others get nothing. */
bool count_all_words(const struct dataset *dataset, uint32_t layer, struct lexicon *lexicon, struct vouch_error *err);

#endif
