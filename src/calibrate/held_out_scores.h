/*
 * Held-out scores: what the methods say of held-out answers, and whether the answers are right. Confidence is tuned,
 * fitted and compared on them.
 */
#ifndef VOUCH_CALIBRATE_HELD_OUT_SCORES_H
#define VOUCH_CALIBRATE_HELD_OUT_SCORES_H

#include "calibrate/score_rows.h"
#include "confidence/committee.h"
#include "train/held_out.h"

/* A method, and the voice whose evidence it looks at. */
struct voice_method {
    const struct method *method;
    uint32_t voice;
};

struct score_plan {
    uint32_t layer;
    const struct voice_method *chosen; /* [methods] */
    uint32_t methods;
    const struct method_params *params; /* [voices] */
    const struct noise *noise;
    bool committee; /* its signals are wanted, too */
    bool text;      /* what the text calls the words is wanted, too: each part that is held out is one */
    bool wholes;    /* whether chunks and sentences are wanted */
    size_t most;    /* about so many words are enough; 0: all */
    uint64_t seed;  /* of the losses of simulated sentences */
    uint32_t threads;
};

/*
 * All words, all chunks, all sentences. Those of one sentence are neighbours in each, and sentences are in one order
 * in all three. Sentences and words that could not be otherwise are left out: there is nothing to learn from them.
 */
struct held_out_scores {
    struct score_rows word, span, sentence;
    struct score_rows simulated; /* words of some sentences after losses, for the committee's caution alone */
};

/* Asks about every sentence that is held out. Part by part, each in the order of its sentences. Release in any case. */
bool held_out_scores_take(struct held_out_scores *scores, const struct held_out *held, const struct score_plan *plan,
                          struct vouch_error *err);
void held_out_scores_release(struct held_out_scores *scores);

#endif
