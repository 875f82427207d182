/*
 * A training plan holds the options of vouch train, checked.
 *
 * With --from, a model settles what is learned: task, features, labels with their scheme, voices and their parameters.
 * Options may set other parameters, and must not contradict the rest.
 */
#ifndef VOUCH_TRAIN_TRAINING_PLAN_H
#define VOUCH_TRAIN_TRAINING_PLAN_H

#include "train/learning.h"

/* Not changed once it is made; must not be moved. */
struct training_plan {
    struct settings settings;     /* as given, completed by the model to go on from */
    vouch_model *from;            /* that model, or NULL */
    char voices[MAX_VOICES * 16]; /* its voices, as --algorithm has them */
    struct learning learning;
    struct trial trial[MAX_LAYERS][MAX_VOICES]; /* the learner and parameters of each voice of each layer */
};

/*
 * Makes a plan. A wrong option is VOUCH_ERR_ARGUMENT. The strings of `settings` must outlive the plan. Release in any
 * case.
 */
bool training_plan_make(struct training_plan *plan, const struct settings *settings, struct vouch_error *err);
void training_plan_release(struct training_plan *plan);

#endif
