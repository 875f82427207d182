/*
 * Has every sentence of a corpus answered by a model that has not learned from it, so that a second stage learns from
 * answers of a first one that are as good, and as bad, as those that it will be given in use (stacked generalisation:
 * Wolpert 1992; Cohen and Carvalho 2005).
 *
 * The corpus is cut into FITTING_PARTS parts, and for each a model is learned on all others. Models share what they
 * learn, and make three fifths of the passes of the model that they stand for (held_out.h): together they cost about
 * one and a half times as much as that model.
 *
 * What calibrates a second stage must have been answered without it, too. If the models of the second stage hold out
 * these same parts, then what answers part p has not seen p: the first stage has not learned from it, and the second
 * has learned from the answers to the other parts alone. These were given by models that have learned from p, among
 * others, so that they are as good as those of any model; of the labels of p they tell the second stage nothing.
 */
#ifndef VOUCH_TRAIN_CROSS_FITTING_H
#define VOUCH_TRAIN_CROSS_FITTING_H

#include "train/held_out.h"

enum { FITTING_PARTS = 5 };

/*
 * Learns the models of all parts, of the layers and voices of `learning`. Fails if there are too few sentences
 * (cross_fitting_fits()). Release `held` in any case.
 */
bool cross_fit(struct held_out *held, const struct learning *learning, const char *what, struct side_jobs jobs,
               struct vouch_error *err);

/* Whether there are enough sentences to cut into parts. */
bool cross_fitting_fits(const struct dataset *dataset);

/* Takes sentences, with the layers of a model that has not learned from them; on several threads at the same time. */
struct answer_taker {
    void *context;
    bool (*take)(void *context, uint32_t thread, uint32_t sentence, const struct model_layer *layer,
                 struct vouch_error *err);
};

/*
 * Shows `taker` every sentence of all parts once, if it belongs to this process. `held` is cross_fit()'s; or
 * held_out_dev()'s, for the sentences to measure on, which the model itself answers.
 */
bool cross_fit_answers(const struct held_out *held, uint32_t threads, const struct answer_taker *taker,
                       struct vouch_error *err);

#endif
