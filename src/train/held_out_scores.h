/*
 * Held-out scores are the methods' numbers for held-out answers, with whether the answers are right. Confidence is
 * tuned, fitted and compared on them.
 */
#ifndef VOUCH_TRAIN_HELD_OUT_SCORES_H
#define VOUCH_TRAIN_HELD_OUT_SCORES_H

#include "train/score_rows.h"
#include "confidence/committee.h"
#include "train/held_out.h"

/* A method, and the voice whose evidence it looks at. */
struct voice_method {
    const struct method *method;
    uint32_t voice;
};

/* The first layer's answers, which the second one's examples are built on: found when they are needed, and kept. */
struct first_answers {
    uint32_t *choice;   /* [words] */
    uint32_t *answered; /* [parts] so many sentences of each have been */
};
bool first_answers_init(struct first_answers *first, const struct held_out *held, struct vouch_error *err);
void first_answers_release(struct first_answers *first);

struct score_plan {
    uint32_t layer;
    struct first_answers *first;       /* NULL is allowed for the first layer */
    const struct voice_method *chosen; /* [methods] */
    uint32_t methods;
    const struct method_params *params; /* [voices] */
    const struct noise *noise;
    bool committee;          /* also take the committee's signals */
    bool text;               /* also take what the text calls the words: each part that is held out is a text */
    bool wholes;             /* also take chunks and sentences */
    size_t most;             /* about so many words are enough; 0: all */
    const struct work *work; /* its seed is that of the losses of simulated sentences */
};

/*
 * All words, all chunks, all sentences. Those of one sentence are neighbours in each, and sentences are in one order in
 * all three. Sentences and words that have no other choice are left out: there is nothing to learn from them.
 */
struct held_out_scores {
    struct score_rows word, span, sentence;
    struct score_rows simulated; /* words of some sentences after losses, for the committee's discount alone */
};

/* Scores every sentence that is held out, part by part, each in the order of its sentences. Release in any case. */
bool held_out_scores_take(struct held_out_scores *scores, const struct held_out *held, const struct score_plan *plan,
                          struct vouch_error *err);
void held_out_scores_release(struct held_out_scores *scores);

#endif
