/*
 * The one thread on which the server learns, of the lowest priority, so that requests are answered meanwhile.
 *
 * A student is what learns in rounds: the desk, a project of Label Studio, a model for INCEpTION. Asked, it
 * waits behind those that were asked before; asked again while it waits, it learns once; asked while it learns, it
 * learns once more. What a round is, from what there is to learn to a model that is served, is the student's affair.
 */
#ifndef VOUCH_DESK_LEARNER_H
#define VOUCH_DESK_LEARNER_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

enum learning_state { LEARNING_IDLE, LEARNING_WAITING, LEARNING_NOW };
const char *learning_state_name(enum learning_state state);

struct student_state {
    enum learning_state state;
    uint64_t rounds;   /* that ended well */
    double seconds;    /* that the last one took */
    char trouble[500]; /* why the last one failed; "" if it did not */
};

struct student {
    const char *name; /* for messages */
    void *context;
    /* Learns once. Called by the thread; the watch asks to stop when the learner is closed, and tells nothing. */
    bool (*round)(void *context, const struct vouch_watch *watch, struct vouch_error *err);

    /* The learner's own: */
    struct student_state now;
    struct student *behind; /* the next that waits; NULL: none */
};

struct learner;

/* `watch`, or NULL, gets a warning for every round that fails, and may ask to stop. */
struct learner *learner_open(const struct vouch_watch *watch, struct vouch_error *err);

/* Ends: a round that runs is given up, and no student is called any more. NULL is allowed. */
void learner_close(struct learner *learner);

/* Asks a student to learn, which must outlive the learner. */
void learner_ask(struct learner *learner, struct student *student);

struct student_state learner_state(struct learner *learner, const struct student *student);

/* Waits until no student learns or waits. */
void learner_wait(struct learner *learner);

#endif
