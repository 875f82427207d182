/*
 * Models that are learned in the background, from what other tools send, while the server answers.
 *
 * A lesson is a text with labels, given by somebody: the documents of one annotator, say. The last text of everybody is
 * kept, and a model is learned from all of them: the one of that name goes on from its file (train --from), each time
 * anew, so that what was sent twice is not learned twice; where there is none, it is a new one. Then it takes the place
 * of the one that is served. One model is learned at a time; what comes meanwhile is learned next.
 */
#ifndef VOUCH_SERVE_BACKGROUND_H
#define VOUCH_SERVE_BACKGROUND_H

#include "serve/served_models.h"

struct background;

/* `watch` gets a warning for a lesson from which nothing could be learned; NULL is allowed. */
struct background *background_open(struct models *models, const struct vouch_watch *watch, struct vouch_error *err);

/* Ends what is being learned, without a result, and frees; NULL is allowed. Nobody may give lessons any more. */
void background_close(struct background *background);

/* What is to be learned. All texts are copied. */
struct sent_lesson {
    const char *name;    /* of the model that it becomes */
    const char *task;    /* of a new model: "ner", "pos", "dep" */
    const char *by;      /* whose it is: a text takes the place of the one that came before */
    const char *text;    /* labelled sentences, in a format that vouch train reads; none: nothing is learned */
    size_t length;
};

/* Gives a lesson. LESSON_KEPT: a model is being learned, and this comes next. */
enum lesson_state { LESSON_FAILED, LESSON_BEGUN, LESSON_KEPT };
enum lesson_state background_learn(struct background *background, const struct sent_lesson *lesson,
                                   struct vouch_error *err);

/* Whether a model of that name is being learned, or will be next. */
bool background_learns(struct background *background, const char *name);

#endif
