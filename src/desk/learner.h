/*
 * Learns models in the background, on one thread of the lowest priority, so that requests are answered meanwhile.
 *
 * A student is a model that somebody wants to be learned, by name: the desk's, or one for another tool's project. It is
 * asked to learn when there is something new; asked again while it waits, it learns once. In its turn the thread lets
 * it say what to learn from, writes that to files, learns, calibrates, writes the model beside them, hands it over, and
 * publishes it. What is learned is a function of the material alone: the same material gives the same bytes, however
 * often and in whatever steps it was learned before.
 *
 * In a folder F the student N has the files F/N.learn, F/N.calibrate and F/N.vouch, which is replaced as a whole.
 */
#ifndef VOUCH_DESK_LEARNER_H
#define VOUCH_DESK_LEARNER_H

#include "base/buffer.h"
#include "base/watch.h"

#include <stdbool.h>
#include <stdint.h>

/* What to learn from. Zeroed before it is filled in; its buffers are freed afterwards. */
struct material {
    struct buffer text;      /* labelled sentences, in any format of the program; with "partial", in parts perhaps */
    struct buffer more;      /* others, in another format perhaps; or empty */
    struct buffer calibrate; /* wholly labelled sentences that are not learned from, to calibrate on; or empty */
    const char *base;        /* the file of a model to go on from; NULL: learn anew */
    struct buffer options;   /* of vouch train, as "task=ner&partial=true" */
    bool nothing;            /* there is nothing to learn from: nothing happens */
    int64_t upto;            /* the student's own mark, handed back: the last decision that is in the text, say */
    uint64_t sentences;      /* in the text, for the student's own use */
};

/* What was learned. */
struct learned {
    vouch_model *model;     /* the student takes it over */
    const char *path;       /* of its file */
    char digest[32];        /* as served models have it */
    char parent[32];        /* that of the model that it went on from; "" if none */
    double seconds;         /* that it took */
};

struct student {
    const char *name; /* of the model, and of its files: letters, digits, '-', '_' and '.' */
    const char *serve_as; /* the name under which it is published; NULL: the same */
    void *context;
    /* Says what to learn from. Called by the background thread. */
    bool (*prepare)(void *context, struct material *material, struct vouch_error *err);
    /* Gets the model, before it is published; NULL: it is closed. Called by the background thread. */
    bool (*learned)(void *context, const struct material *material, struct learned *learned, struct vouch_error *err);
};

/* What the learner needs of others. */
struct learner_hooks {
    void *context;
    /* Serves the model in that file under that name from now on. */
    bool (*publish)(void *context, const char *name, const char *path, struct vouch_error *err);
    const struct vouch_watch *watch; /* learning stops when it asks to; or NULL */
};

struct learner;
struct learner *learner_open(const char *folder, const struct learner_hooks *hooks, struct vouch_error *err);

/* Stops: what is being learned is given up. No student is called any more. NULL is allowed. */
void learner_close(struct learner *learner);

/* Introduces a student, whose strings and context must outlive the learner. */
bool learner_add(struct learner *learner, const struct student *student, struct vouch_error *err);

/* Asks a student to learn. False if there is none of that name. */
bool learner_ask(struct learner *learner, const char *name, struct vouch_error *err);

/* What is known of a student. */
enum learning_state { LEARNING_IDLE, LEARNING_WAITING, LEARNING_NOW };
struct student_state {
    enum learning_state state;
    uint64_t rounds;     /* that ended with a model */
    double seconds;      /* that the last one took */
    char trouble[500];   /* why the last one ended without a model; "" if it did not */
};
bool learner_state(struct learner *learner, const char *name, struct student_state *state);
const char *learning_state_name(enum learning_state state);

/* Publishes a model that was learned before under the student's name. */
bool learner_publish(struct learner *learner, const struct student *student, const char *path, struct vouch_error *err);

/* Stops what a student does by itself when the learner is closed. */
const struct vouch_watch *learner_watch(const struct learner *learner);

/* Waits until no student learns or waits to. */
void learner_wait(struct learner *learner);

/*
 * The simplest student: learns once from a labelled text, which is copied, and publishes the model under that name.
 * `base` may be NULL; `options` as in a material. A text that still waits under that name is replaced.
 */
bool learner_submit(struct learner *learner, const char *name, const void *text, size_t length, const char *base,
                    const char *options, struct vouch_error *err);

/* Learns a material now, in this thread: the model, which the caller closes, or NULL. `name` and `folder` as above. */
vouch_model *material_learn(const struct material *material, const char *folder, const char *name,
                          const struct vouch_watch *watch, struct vouch_error *err);
void material_release(struct material *material);

#endif
