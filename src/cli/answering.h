/*
 * What the commands that answer a stream of sentences share.
 */
#ifndef VOUCH_CLI_ANSWERING_H
#define VOUCH_CLI_ANSWERING_H

#include "cli/cli.h"
#include "corpus/reader.h"
#include "corpus/writer.h"
#include "predict/estimator.h"

/* Checks -m, the one input and the options of reading; EXIT_DONE or EXIT_MISUSE after a message. */
int answering_prepare(struct reader_options *reading, const struct command *command, const struct settings *settings);

/* The input's path; NULL is standard input. */
const char *answering_input(const struct settings *settings);

/* Whether the sender may wait for each answer before it sends more: the input is a pipe or a terminal. */
bool answers_are_awaited(const struct settings *settings);

/*
 * The estimator that was asked for: *estimator is NULL for --confidence none, and if the model was not calibrated and
 * no method is named. Prints on standard error which method's numbers will be written.
 */
bool answering_estimator(const struct settings *settings, const struct vouch_model *model, bool words_only,
                         struct estimator **estimator, struct vouch_error *err);

/* The same for the caller's own request, whatever the options are. */
bool answering_request(const struct settings *settings, const struct vouch_model *model,
                       const struct estimate_request *request, struct estimator **estimator, struct vouch_error *err);

/* Warns of each file among the arguments that the model was trained on; `then` says what follows from that. */
void answering_warn_of_training(const struct settings *settings, const struct vouch_model *model, const char *then);

/* Warns if half of the sentences (of file `where`, if not NULL) were learned from; `then` says what follows. */
void answering_warn_of_seen(const struct settings *settings, uint64_t seen, uint64_t sentences, const char *where,
                            const char *then);

/* With --verbose: how much was answered in how long; `rate` says what is counted a second, `count` how many. */
void answering_say_speed(const struct settings *settings, const char *did, uint64_t sentences, uint64_t words,
                         double started, const char *rate, uint64_t count);

/* The line below coloured sentences that explains the marks. */
struct colouring;
void answering_legend(struct colouring *colouring, const struct estimator *estimator);

/* Copies the threshold and the replacement to the writer's options. */
void answering_doubt(const struct settings *settings, struct writer_options *writing);

/* clang-format off */
#define OPTION_CONFIDENCE                                                                                              \
    {"confidence", 'c', OPTION_TEXT, AT(confidence), "METHODS", 0, 0, false,                                           \
     "methods of confidence, separated by commas; all, or none: see 'vouch help confidence'; if not given, the one "   \
     "that was found best when the model was calibrated"},                                                             \
    {"raw", 0, OPTION_FLAG, AT(raw), NULL, 0, 0, false,                                                                \
     "the methods' own numbers, not calibrated probabilities"},                                                        \
    {"draws", 0, OPTION_INTEGER, AT(draws), "K", 0, MAX_DRAWS, false,                                                  \
     "models to draw for kd-fix and kd-pc; 0 is as many as the model was tuned with"}
#define OPTION_DOUBT                                                                                                   \
    {"alternatives", 0, OPTION_INTEGER, AT(alternatives), "N", 0, 1000, false,                                         \
     "the N likeliest choices of every word, with their probabilities"},                                               \
    {"threshold", 0, OPTION_REAL, AT(threshold), "T", -1, 1, false,                                                    \
     "flag answers whose confidence is below T, or see --replace; -1 is no threshold"},                                \
    {"replace", 0, OPTION_TEXT, AT(replace), "LABEL", 0, 0, false,                                                     \
     "with --threshold: write LABEL instead of labels whose confidence is below it"}
#define OPTION_ON_ERROR                                                                                                \
    {"on-error", 0, OPTION_TEXT, AT(on_error), "WHAT", 0, 0, false,                                                    \
     "what to do about a bad line of JSON lines: stop, or report it in its place and go on"}
/* clang-format on */

/* Prints how many lines were reported in place of answers; EXIT_DONE if none was, else EXIT_FAILED. */
int answering_say_faults(const struct command *command, uint64_t faults);

#endif
