/*
 * Calibrates the numbers of another program: a function of the number alone, fitted on answers whose gold is known,
 * that gives the probability of a label or head, or of a relation, to be right. It is kept as a file of JSON, which
 * says what it was fitted on.
 */
#ifndef VOUCH_EVAL_ANSWER_CALIBRATION_H
#define VOUCH_EVAL_ANSWER_CALIBRATION_H

#include "base/output.h"
#include "eval/confidence_eval.h"
#include "fit/calibrate.h"

#include <jansson.h>

/* The aspects that are calibrated: words, whose numbers are about labels or heads, and relations. */
#define CALIBRATED_ASPECTS ASPECT_SPANS

/* How good numbers are as probabilities; NAN: they are none, or not known. */
struct answer_figures {
    double log_loss, ece; /* log loss in nats */
};

/* Zero it before first use; release it in any case. */
struct answer_calibration {
    bool trees;                                     /* words' numbers are about heads, else about labels */
    struct calibration of[CALIBRATED_ASPECTS];      /* CALIBRATE_NONE: there are no numbers of this kind */
    uint64_t count[CALIBRATED_ASPECTS];             /* of numbers */
    uint64_t wrong[CALIBRATED_ASPECTS];             /* answers that they were about */
    struct answer_figures raw[CALIBRATED_ASPECTS];  /* of the numbers as they came, */
    struct answer_figures held[CALIBRATED_ASPECTS]; /* and of calibrations of other sentences */
};

void answer_calibration_release(struct answer_calibration *calibration);

/* Fits by the rows of an evaluation of one method, whose sentences stay together. */
bool answer_calibration_fit(struct answer_calibration *calibration, const struct confidence_eval *rows, uint64_t seed,
                            struct vouch_error *err);

/* Returns "labels" or "heads". */
const char *answer_calibration_about(bool trees);

/* Returns the name of the way in which numbers of an aspect are calibrated, for messages. */
const char *answer_calibration_kind(const struct answer_calibration *calibration, enum aspect aspect);

/* Finds the probability of a number; NAN stays NAN. False if the number is outside of the range that was fitted. */
bool answer_calibration_apply(const struct answer_calibration *calibration, enum aspect aspect, double raw,
                              double *probability);

/* Describes the calibration and its figures; NULL if memory is short. */
json_t *answer_calibration_json(const struct answer_calibration *calibration);

/* Writes that with the name of the file, and the command that made it; reads it again. */
bool answer_calibration_write(const struct answer_calibration *calibration, const char *file, const char *command,
                              struct output *out, struct vouch_error *err);
bool answer_calibration_read(struct answer_calibration *calibration, const char *path, struct vouch_error *err);

#endif
