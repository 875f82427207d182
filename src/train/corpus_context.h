/*
 * Gives the words of a corpus features of what a first stage calls the same words in the sentences around
 * (task/label_context.h), so that whatever learns or answers from then on sees a second stage's corpus.
 *
 * For sentences to learn from, the first stage's answers are cross-fitted (cross_fitting.h): what is learned from them
 * meets them again in use as good, and as bad, as they were.
 */
#ifndef VOUCH_TRAIN_CORPUS_CONTEXT_H
#define VOUCH_TRAIN_CORPUS_CONTEXT_H

#include "train/training.h"

/*
 * Learns the first stage of a corpus that was read, `first`, to be kept in the model; then all of the corpus, with its
 * sentences to measure on, gets the features. A watch that asks to stop is VOUCH_ERR_STOPPED.
 */
bool context_learn(struct corpus *corpus, uint32_t sentences, const struct learning *learning,
                   struct learned_voices *first, struct vouch_error *err);

/* Gives a corpus that was read for a model the features of the model's first stage, if it has one. */
bool context_answer(struct corpus *corpus, const struct vouch_model *model, struct vouch_error *err);

#endif
