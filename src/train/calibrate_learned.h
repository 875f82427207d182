/*
 * Finds how far a model's answers can be trusted: on files that it has not seen, or, while it is being trained, by
 * learning anew on parts of its corpus.
 */
#ifndef VOUCH_TRAIN_CALIBRATE_LEARNED_H
#define VOUCH_TRAIN_CALIBRATE_LEARNED_H

#include "base/watch.h"
#include "train/calibration.h"

/* The model whose answers are judged, and the sentences. */
struct confidence_plan {
    const struct dataset *dataset;
    const struct model_layer *layer; /* [layers] answer the dataset's dev; NULL: `lessons` hold parts out instead */
    struct held_out_plan lessons;    /* of which only what to learn, and how, is looked at */
    const struct grids *grids;
    uint64_t seed;
    uint32_t threads;
    const char *what; /* "calibrating", the name of the step in events */
    const struct vouch_watch *watch;
};

/* What was found, for each layer. */
struct found_confidence {
    struct confidence_model model[MAX_MODEL_LAYERS];
    uint32_t layers;
    json_t *json; /* as a header keeps it */
};

/*
 * Gets answers that were held out: the development set's, or those of models learned on other parts of the corpus.
 * Release them in any case.
 */
bool hold_out_answers(const struct confidence_plan *plan, struct held_out *held, struct vouch_error *err);

/* Finds how far the answers of the plan's model can be trusted. Release the result in any case. */
bool calibrate_learned(const struct confidence_plan *plan, const struct held_out *held, struct found_confidence *found,
                       struct vouch_error *err);
void found_confidence_release(struct found_confidence *found);

/* Lets a calibration report its progress and what it tried to `step`, which must outlive it and may stop it. */
void calibration_watched(struct calibration_plan *plan, struct step_watch *step);

/* Warns of each kind of answer that had too few held-out errors to calibrate on. */
void warn_of_few_errors(const struct vouch_watch *watch, const char *layer,
                        const struct confidence_model *confidence_model);

#endif
