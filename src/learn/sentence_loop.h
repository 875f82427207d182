/*
 * Learning from one sentence, for all learners, structures and tasks. Training one sentence after the other (train.c)
 * and training in shards (shards.c) share it.
 */
#ifndef VOUCH_LEARN_SENTENCE_LOOP_H
#define VOUCH_LEARN_SENTENCE_LOOP_H

#include "learn/learn.h"

enum {
    TELL_EVERY = 16, /* sentences */
    LINE = 16        /* weights of a line */
};

/* A set of lines of weights: bit l % 64 of word l / 64. */
typedef uint64_t line_bits;

/* The memory of one thread that learns; it grows and is used again. */
struct sentence_loop {
    const struct examples *examples;
    const struct training_options *options;
    struct voice *voice;
    line_bits *changed; /* the lines that have been changed are added to this set; may be NULL */
    struct diff diff;
    struct scores scores, coefficient;
    struct scores agreeing, expected; /* of partly labelled sentences: scores that agree with gold, their marginals */
    struct scratch decoding, fetching, work;
    struct arena arena;   /* of the arrays that follow, made anew for every sentence */
    uint32_t *choice;     /* [K][N] */
    uint32_t *target;     /* [N] the answer to learn instead of gold that is open in part */
    double *score, *loss; /* [K] */
    struct contrast rows; /* in which a choice is wrong */
};

/* Prepares learning `voice` from the examples, all of which stay the caller's. Release it even after a failure. */
bool sentence_loop_init(struct sentence_loop *loop, const struct examples *examples,
                        const struct training_options *options, struct voice *voice, struct vouch_error *err);
void sentence_loop_release(struct sentence_loop *loop);

/* Learns from sentence `number`; adds its loss and its words. */
bool sentence_loop_learn(struct sentence_loop *loop, uint32_t number, double *loss, uint64_t *words,
                         struct vouch_error *err);

/* ---- Partly labelled sentences: partial.c ---- */

/* Makes `agreeing` a copy of the scores in which a decided word has no other choice: -inf for all but gold's. */
bool scores_that_agree(const struct scores *scores, const uint32_t *gold, struct scores *agreeing,
                       struct vouch_error *err);

/* Returns how many decided words have another choice than gold's. */
uint32_t wrong_decided(const uint32_t *gold, const uint32_t *choice, uint32_t N);

/* Returns the answer to learn: gold, or the best that agrees with it where words are open; NULL after a failure. */
const uint32_t *learning_target(struct sentence_loop *loop, const struct example *example, struct vouch_error *err);

/* Adds the marginals of the answers that agree with gold to loop->coefficient; *log_z is the log of their sum. */
bool add_expected_of_agreeing(struct sentence_loop *loop, const struct example *example, double *log_z,
                              struct vouch_error *err);

/*
 * Does what train_on() does, for options->shards > 1: the examples are cut into S shards, which learn side by side and
 * are mixed after every pass. The result depends on S, but not on the threads and ranks that compute the shards.
 * Example i belongs to shard i mod S whatever the subset, so some shards may have few examples of it, or none.
 */
bool train_shards(const struct examples *examples, struct subset subset, const struct training_options *options,
                  struct voice *voice, bool *stopped, struct vouch_error *err);

#endif
