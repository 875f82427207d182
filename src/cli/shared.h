/*
 * What commands use of each other. cmd_tag.c opens models with their scores, and answers for vouch judge. cmd_tune.c
 * prints what calibrating found, and writes models with another header. other_answers.c has the part of vouch tune
 * and tag that works on the answers of other programs.
 */
#ifndef VOUCH_CLI_SHARED_H
#define VOUCH_CLI_SHARED_H

#include "answer/request.h"
#include "cli/cli.h"
#include "model/confidence_model.h"
#include "text/reader.h"

struct score_files;
struct tune_options;

/*
 * Opens a model, and for one without weights its scores, *files, which is NULL at first. NULL on failure: neither is
 * open then.
 */
vouch_model *open_with_scores(const char *path, const struct score_values *source, struct score_files **files,
                              struct vouch_error *err);

/* Labels or parses the input with a model, and the scores of one without weights, as vouch tag and vouch parse do. */
bool answer_with(const struct answer_options *settings, const struct vouch_model *model,
                 const struct score_files *scores, struct reader_options *reading, struct vouch_error *err);

/* Prints which methods' numbers will be written, and whether they are probabilities. */
void answering_say_methods(const struct options *options, const struct estimator *estimator);

/* Says that a model has no confidence, and how it gets one. */
void answering_say_uncalibrated(const struct options *options, const struct vouch_model *model);

/* Writes a model with another header, whole or not at all. */
bool save_again(const struct vouch_model *model, json_t *header, const char *path, struct vouch_error *err);

/* Print what calibrating found: the parameters and the methods of one layer; what a header keeps, as JSON. */
void calibration_print(const struct model_layer *layer, const struct confidence_model *found, uint64_t words);
void calibration_print_json(const json_t *found, uint32_t sentences, size_t words);

/* Run vouch tune --answers and vouch tag --answers: see run() of struct command. */
int tune_answers(const struct tune_options *options, struct vouch_error *err);
int tag_answers(const struct answer_options *options, struct vouch_error *err);

#endif
