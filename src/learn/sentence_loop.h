/*
 * What learning does with one sentence, for all learners, structures and tasks: score the parts, decode what the
 * learner needs, build the difference vectors, let the learner update the voice.
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
    struct scratch decoding, fetching, work;
    uint32_t *choice;     /* [K][N] */
    double *score, *loss; /* [K] */
    struct contrast rows; /* in which a choice is wrong */
    size_t choice_capacity, score_capacity, loss_capacity, node_capacity, edge_capacity;
};

/* Prepares learning `voice` from the examples, all of which stay the caller's. Release it even after a failure. */
bool sentence_loop_init(struct sentence_loop *loop, const struct examples *examples,
                        const struct training_options *options, struct voice *voice, struct vouch_error *err);
void sentence_loop_release(struct sentence_loop *loop);

/* Learns from sentence `number`; adds its loss and its words. */
bool sentence_loop_learn(struct sentence_loop *loop, uint32_t number, double *loss, uint64_t *words,
                         struct vouch_error *err);

#endif
