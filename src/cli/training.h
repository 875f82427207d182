/*
 * One run of vouch train: what its files share. They are
 *
 *   cmd_train.c           the options; reading, and learning every voice
 *   training_from.c       going on from a model
 *   training_report.c     what is said meanwhile: progress, a line a pass, the log
 *   training_calibrate.c  how far the answers can be trusted
 *   training_save.c       the model file, and where it came from
 */
#ifndef VOUCH_CLI_TRAINING_H
#define VOUCH_CLI_TRAINING_H

#include "cli/cli.h"
#include "cli/learning.h"
#include "model/model.h"

#include <stdio.h>

/* What became of the confidence of a model that learning went on from, unless it was calibrated anew. */
enum outdated { OUTDATED_NOT, OUTDATED_NONE, OUTDATED_KEPT, OUTDATED_LABELS, OUTDATED_VOICES };

struct training_run {
    const struct command *command;
    const struct settings *settings;
    vouch_model *from;            /* a model to go on from, or NULL */
    char voices[MAX_VOICES * 16]; /* its voices, as --algorithm has them */
    struct learning learning;
    struct learned_corpus corpus;
    float *weights; /* room for averaged weights, while a voice is being learned */
    struct model_layer layer[MAX_MODEL_LAYERS];
    uint32_t layers;
    struct trial chosen[MAX_MODEL_LAYERS][MAX_VOICES]; /* what they were learned with */
    json_t *confidence;                                /* what was found out about their reliability, or NULL */
    enum outdated outdated;
    json_t *header, *parameters, *dev_scores;
    FILE *log;
    struct progress progress;
    double pass_started;
    uint32_t current_layer, current; /* layer and voice that is being learned */
    uint32_t best_pass;              /* with --best-pass: that of the voice which is kept so far; 0: none is over */
    double best_figure;              /* its score on the dev file */
    bool interrupted, learned;       /* by Ctrl-C; all of it, before any Ctrl-C */
    struct vouch_error err;
};

/* Reads the options into run->learning and run->chosen; EXIT_DONE or EXIT_MISUSE after a message. */
int training_prepare(struct training_run *run);

/* The same with --from, whose model fills in what is not given; EXIT_DONE, or the status after a message. */
int training_from(struct training_run *run, struct settings *settings);

/* Gives a voice that knows nothing yet what the model knows, if there is one. */
void training_recall(const struct training_run *run, struct voice *voice);

/* With --from: what is new to the model; what becomes of its confidence, and how to get a fresh one; its record. */
void training_say_new(const struct training_run *run);
bool training_keep_confidence(struct training_run *run);
void training_say_confidence(const struct training_run *run);
bool training_describe_from(const struct training_run *run, json_t *header);

/* The log of --log: JSON lines. An event is taken over; without a log it is dropped. */
bool training_log_open(struct training_run *run);
void training_log(struct training_run *run, json_t *event);
bool training_log_close(struct training_run *run); /* whether all of it has arrived */

/* With --best-pass: says which pass of the current voice was kept, and records it. */
void training_tell_kept(struct training_run *run, json_t *record);

/* What the library calls; `context` is the run. */
bool training_tell_reading(void *context, uint64_t sentences);
bool training_tell(void *context, const struct training *now);
void training_tell_tuning(void *context, uint32_t done, uint32_t of);
void training_tell_held_out(void *context, uint32_t done, uint32_t of);
void training_tell_calibrating(void *context, uint32_t done, uint32_t of);

/* Finds out how far the model's answers can be trusted. Ctrl-C leaves it at what was learned. */
bool training_calibrate(struct training_run *run);

bool training_save(struct training_run *run);

#endif
