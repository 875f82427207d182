/*
 * Testimony: what the methods say of held-out answers, and whether the answers
 * are right. What confidence is tuned, fitted and compared on.
 */
#ifndef VOUCH_CALIBRATE_TESTIMONY_H
#define VOUCH_CALIBRATE_TESTIMONY_H

#include "calibrate/units.h"
#include "confidence/committee.h"
#include "train/held_out.h"

/* Somebody to ask: a method, of one voice. */
struct question {
    const struct method *method;
    uint32_t voice;
};

struct asking {
    uint32_t layer;
    const struct question *question; /* [questions] */
    uint32_t questions;
    const struct method_params *params; /* [voices] */
    const struct noise *noise;
    bool committee; /* its signals are wanted, too */
    bool wholes;    /* whether chunks and sentences are wanted */
    size_t most;    /* about so many words are enough; 0: all */
    uint32_t threads;
};

/*
 * All words, all chunks, all sentences. Those of one sentence are neighbours in each, and sentences are in one order
 * in all three. Answers that could not be otherwise are left out: there is nothing to learn from them.
 */
struct testimony {
    struct units word, span, sentence;
};

/* Asks about every sentence that is held out. Part by part, each in the order of its sentences. Release in any case. */
bool testimony_take(struct testimony *testimony, const struct held_out *held, const struct asking *asking,
                    struct vouch_error *err);
void testimony_release(struct testimony *testimony);

#endif
