/*
 * Holds what the options of learning ask for: how to read a corpus, and what to learn from it. One function checks all
 * of them.
 */
#ifndef VOUCH_TRAIN_LEARNING_H
#define VOUCH_TRAIN_LEARNING_H

#include "options/settings.h"
#include "train/cross_validation.h"
#include "train/corpus.h"

enum { MAX_TRIALS = 8 };

struct learning {
    struct corpus_plan corpus;
    struct trial trial[MAX_TRIALS];
    uint32_t trials;
    char *template_text; /* of --template */
};

/*
 * Checks the options; `separator` separates algorithms, of which there may be `most`. A wrong option is
 * VOUCH_ERR_ARGUMENT. Release in any case.
 */
bool learning_prepare(struct learning *learning, const struct learner_values *values,
                      const struct reading_values *reading, char separator, uint32_t most, struct vouch_error *err);
void learning_release(struct learning *learning);

#endif
