/*
 * A judged word is a confidence and whether the word was right.
 *
 * Every measure of a confidence is a function of the levels alone: the distinct
 * confidences, least first, with the number of wrong and of right words at each. Words
 * of one level cannot be told apart, so ties never depend on the order in which words
 * came; and a word that counts m times is m words, which is what resampling needs.
 */
#ifndef VOUCH_MEASURE_JUDGED_H
#define VOUCH_MEASURE_JUDGED_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct judged {
    double confidence; /* infinite for a margin without a rival; never NAN */
    uint32_t sentence; /* any number, the same for all words of a sentence */
    bool right;
};

/* The words of one confidence. There may be none: measures skip such a level. */
struct level {
    double confidence;
    uint64_t wrong, right;
};

struct levels {
    struct level *level; /* [levels] by confidence, least first, each once */
    size_t levels;
    uint64_t wrong, right; /* of all levels */
};

/* Fails for want of memory and for a confidence that is NAN. O(n log n). */
bool levels_init(struct levels *levels, const struct judged *word /* [n] */, size_t n, struct vouch_error *err);
void levels_release(struct levels *levels);

/* Returns the place of a confidence that is one of the levels'. O(log levels). */
size_t level_of(const struct levels *levels, double confidence);

#endif
