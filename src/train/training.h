/*
 * Trains, from files to a model: reads and encodes the files, learns every voice, finds out how far its answers can be
 * trusted, and describes in the model's header where all of it came from.
 *
 *     training_prepare() -> a plan -> training_run() -> a result -> training_write() -> a model file
 *
 * With a checkpoint, what was learned is in a folder until training_saved() says that the model is safe.
 */
#ifndef VOUCH_TRAIN_TRAINING_H
#define VOUCH_TRAIN_TRAINING_H

#include "base/output.h"
#include "train/checkpoint.h"
#include "train/learning.h"

/* The options of vouch train, as given. */
struct train_options {
    struct options common;
    struct reading_values reading;
    struct learner_values learner;
    const char *output, *from, *dev, *log, *checkpoint;
    uint32_t context; /* sentences on either side; 0: none */
    const char *grid; /* of values to try for the methods of confidence */
    uint32_t shards, stages;
    bool partial, best_pass, no_calibrate, plain_draws, resume;
};
extern const struct option_table train_options;

/*
 * The options of vouch train, checked. With --from, a model settles what is learned: task, features, labels with their
 * scheme, voices and their parameters. Options may set other parameters, and must not contradict the rest. Not changed
 * once it is made; must not be moved.
 */
struct training_plan {
    struct train_options options; /* as given, completed by the model to go on from */
    vouch_model *from;            /* that model, or NULL */
    char voices[MAX_VOICES * 16]; /* its voices, as --algorithm has them */
    struct learning learning;
};

/* ---- Every voice of every layer, from nothing or from the weights of a model: learn_voices.c ---- */

/*
 * What was learned. Voices that were not begun when the watch stopped it are missing, unless the model to go on from
 * has them.
 */
struct learned_voices {
    struct layer_record {
        json_t *parameters, *dev_scores;
        bool stopped;
    } record[MAX_LAYERS]; /* what becomes of each layer, until all have been learned */
    struct watches *watches;
    struct model_layer layer[MAX_MODEL_LAYERS];
    uint32_t layers;
    struct trial trial[MAX_LAYERS][MAX_VOICES]; /* with the parameters that were chosen */
    json_t *parameters;                         /* the same, by layer and voice, as a header keeps them */
    json_t *dev_scores;                         /* of each voice, as it was kept */
    bool stopped;
};

/* Fails with VOUCH_ERR_STOPPED if it was stopped before there was anything to keep. Release in any case. */
bool learn_voices(const struct learning *learning, struct learned_voices *learned, struct vouch_error *err);

/*
 * The same in steps: after the beginning, layers may be learned on different threads; what they tell comes in their
 * order. A layer that is not begun is left out. At the end, `ok` says whether all went well, and *err why not.
 */
bool learn_voices_begin(const struct learning *learning, struct learned_voices *learned, struct vouch_error *err);
bool learn_voices_of(const struct learning *learning, struct learned_voices *learned, uint32_t layer,
                     struct vouch_error *err);
bool learn_voices_end(const struct learning *learning, struct learned_voices *learned, bool ok,
                      struct vouch_error *err);
void learned_voices_release(struct learned_voices *learned);

/* ---- The training ---- */

/* What became of the calibration of a model that learning went on from, unless it was calibrated anew. */
enum outdated { OUTDATED_NOT, OUTDATED_NONE, OUTDATED_KEPT, OUTDATED_LABELS, OUTDATED_VOICES };

/* Returns the same in words; NULL for OUTDATED_NOT. */
const char *outdated_words(enum outdated outdated);

/* Must not be moved. */
struct training_result {
    struct corpus corpus;
    struct learning learning;    /* the plan's, with dataset, checkpoint and watch */
    struct learned_voices first; /* of a first stage; without layers: there is none */
    struct learned_voices voices;
    json_t *confidence; /* how far they can be trusted, or NULL */
    json_t *header;
    bool stopped;                  /* stopped before the end; the result is what was learned until then */
    struct checkpoint *checkpoint; /* NULL: there is none */
    enum outdated outdated;
};

/*
 * Checks all options of vouch train: a wrong one is VOUCH_ERR_ARGUMENT. The strings of `options` must outlive the
 * plan. Release it in any case.
 */
bool training_prepare(struct training_plan *plan, const struct train_options *options, struct vouch_error *err);
void training_plan_release(struct training_plan *plan);

/*
 * Trains. The watch may stop it: the result is then what was learned until then, uncalibrated. If it stops before
 * anything was learned, that is VOUCH_ERR_STOPPED. Release the result in any case, before the plan.
 */
bool training_run(const struct training_plan *plan, const struct vouch_watch *watch, struct training_result *result,
                  struct vouch_error *err);
void training_result_release(struct training_result *result);

/* Writes the model file. */
bool training_write(const struct training_plan *plan, const struct training_result *result, struct output *out,
                    struct vouch_error *err);

/* Removes the checkpoint, if there is one, unless the training was stopped: the model was written. */
void training_saved(struct training_result *result);

/* Open the folder of the checkpoint, if there is to be one, and begin it, or go on with it. Parts of training_run(). */
bool training_checkpoint_open(const struct training_plan *plan, struct training_result *result,
                              struct vouch_error *err);
bool training_checkpoint_begin(const struct training_plan *plan, struct training_result *result,
                               struct vouch_error *err);

/* Fills in the header: provenance, parameters, scores, confidence. Part of training_run(). */
bool training_describe(const struct training_plan *plan, struct training_result *result, struct vouch_error *err);

#endif
