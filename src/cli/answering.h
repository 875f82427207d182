/*
 * Declares what the commands share that answer a stream of sentences.
 */
#ifndef VOUCH_CLI_ANSWERING_H
#define VOUCH_CLI_ANSWERING_H

#include "api/requests.h"
#include "base/buffer.h"
#include "cli/cli.h"
#include "text/reader.h"
#include "text/writer.h"
#include "answer/doubt.h"
#include "answer/estimator.h"

/* Checks -m, the one input and the options of reading; returns EXIT_DONE, or EXIT_MISUSE after a message. */
int answering_prepare(struct reader_options *reading, const struct command *command, const struct settings *settings);

/*
 * Returns the model of -m, which must be one for the command; NULL on failure, or if --output would overwrite an input.
 */
vouch_model *answering_open(const struct command *command, const struct settings *settings, struct vouch_error *err);

/* Returns the input's path; NULL is standard input. */
const char *answering_input(const struct settings *settings);

/*
 * Opens the input; with --scores and no input, one of nameless words, as many as have scores, in `words`, which must
 * be empty, and freed after the reader is closed.
 */
struct reader *answering_reader(const struct settings *settings, const struct vouch_model *model,
                                const struct reader_options *reading, struct buffer *words, struct vouch_error *err);

/* Label or parse the input with a model, which is closed, and return the exit status: vouch tag, and vouch parse. */
int tag_with(const struct command *command, const struct settings *settings, vouch_model *model,
             struct reader_options *reading);
int parse_with(const struct command *command, const struct settings *settings, vouch_model *model,
               struct reader_options *reading);

/* Whether the sender may wait for each answer before it sends more: the input is a pipe or a terminal. */
bool answers_are_awaited(const struct settings *settings);

/*
 * Returns the request that the options make; prints which methods' numbers will be written. NULL on failure. Free with
 * vouch_request_free().
 */
struct vouch_request *answering_ask(const struct settings *settings, const struct vouch_model *model, bool words_only,
                                    struct vouch_error *err);

/* Prints which methods' numbers will be written, and whether they are probabilities. */
void answering_say_methods(const struct settings *settings, const struct estimator *estimator);

/* Warns of each file among the arguments that the model was trained on; `then` tells the consequence. */
void answering_warn_of_training(const struct settings *settings, const struct vouch_model *model, const char *then);

/* Warns if the answered text, by its promise, is unlike the text that the model was calibrated on. */
bool answering_warn_of_unlike(const struct settings *settings, const struct vouch_model *model,
                              const struct expected_counts *promise, struct vouch_error *err);

/* How much was answered, and how many lines were reported in place of answers. */
struct answer_counts {
    uint64_t sentences, words, faults;
};

/* Adds up what the ranks have answered, once the output is written; they may end from then on. */
bool answer_counts_sum(struct answer_counts *counts, const struct ranks *ranks, struct vouch_error *err);

/* Prints, with --verbose, how much was answered in how long, and how many words or sentences that is in a second. */
void answering_say_speed(const struct settings *settings, const char *did, const struct answer_counts *counts,
                         double started, bool by_words);

/* Writes the line below coloured sentences that explains the marks. */
struct colouring;
void answering_legend(struct colouring *colouring, const struct estimator *estimator);

/* Returns the threshold and the replacement. */
struct doubts answering_doubts(const struct settings *settings);

/* Prints how many lines were reported in place of answers; returns EXIT_DONE if none was, else EXIT_FAILED. */
int answering_say_faults(const struct command *command, uint64_t faults);

#endif
