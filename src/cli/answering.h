/*
 * What commands use of each other: vouch tag and parse answer for vouch judge and trade, vouch tune prints what
 * calibrating found for vouch judge, and answers_calibrated.c has the part of vouch tune and tag that works on the
 * answers of other programs.
 */
#ifndef VOUCH_CLI_ANSWERING_H
#define VOUCH_CLI_ANSWERING_H

#include "answer/request.h"
#include "cli/cli.h"
#include "model/confidence_model.h"
#include "text/reader.h"

struct score_files;
struct tune_options;

/*
 * Labels or parses the input with a model, and the scores of one without weights, as vouch tag and vouch parse do.
 * Returns the exit status.
 */
int answer_with(const struct command *command, const struct answer_options *settings, const struct vouch_model *model,
                const struct score_files *scores, struct reader_options *reading);

/* Prints which methods' numbers will be written, and whether they are probabilities. */
void answering_say_methods(const struct options *options, const struct estimator *estimator);

/* Print what calibrating found: the parameters and the methods of one layer; what a header keeps, as JSON. */
void calibration_print(const struct model_layer *layer, const struct confidence_model *found);
void calibration_print_json(const json_t *found, uint32_t sentences, size_t words);

/* Run vouch tune --answers and vouch tag --answers. */
int tune_answers(const struct command *command, const struct tune_options *options);
int tag_answers(const struct command *command, const struct answer_options *options);

#endif
