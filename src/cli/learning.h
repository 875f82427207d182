/*
 * The options of learning, shared by the commands that learn.
 */
#ifndef VOUCH_CLI_LEARNING_H
#define VOUCH_CLI_LEARNING_H

#include "cli/cli.h"
#include "learn/learn.h"
#include "train/cross_validation.h"
#include "train/tag_corpus.h"
#include "train/tree_corpus.h"

#include <jansson.h>

enum { MAX_TRIALS = 8, MAX_GRID = 8 };

/* A corpus of either kind, and the dataset that it is to learning. */
struct learned_corpus {
    struct tag_corpus tags;
    struct tree_corpus trees;
    struct dataset dataset;
};

/* What the options say: how to read, and what to learn. */
struct learning {
    bool parses; /* --task dep */
    struct tag_plan plan;
    struct tree_plan trees;
    struct trial trial[MAX_TRIALS];
    uint32_t trials;
    char *template_text; /* of --template */
};

/* Checks the options; `separator` is what stands between algorithms. EXIT_DONE or EXIT_MISUSE after a message. */
int learning_prepare(struct learning *learning, const struct command *command, const struct settings *settings,
                     char separator, uint32_t most);
void learning_release(struct learning *learning);

/* Reads the training files, and `dev` if it is not NULL. Release in any case. */
bool learning_read(const struct learning *learning, const struct settings *settings, const char *dev,
                   const struct reading_watch *watch, struct learned_corpus *corpus, struct vouch_error *err);

/*
 * Instead of that: the labelled files of the command line as `model`, which must outlive the corpus, sees them, all in
 * the dataset's dev. Settles `reading`, and says what was read.
 */
bool learned_corpus_borrow(struct learned_corpus *corpus, const struct vouch_model *model,
                           struct reader_options *reading, const struct settings *settings, struct vouch_error *err);
void learned_corpus_release(struct learned_corpus *corpus);

/* Says on standard error how much was read. */
void say_read(uint32_t sentences, size_t words);

/* Says on standard error what was read. */
void learned_corpus_say(const struct learning *learning, const struct learned_corpus *corpus);

/* What --tune found for one learner. */
struct tuned {
    const char *name; /* of the parameter; NULL: there is nothing to choose */
    double value[MAX_GRID], figure[MAX_GRID];
    uint32_t count, best;
};

/*
 * Tries every value of the learner's grid on a held-out quarter of the corpus
 * and sets the best in *chosen. `plan` says how; its trials are not looked at.
 */
bool learning_tune(struct trial *chosen, const struct trial_plan *plan, struct tuned *tuned, struct vouch_error *err);

/* Says on standard error what was chosen, and with --verbose what was tried. */
void tuned_say(const struct tuned *tuned, const struct trial *chosen, const struct settings *settings);

/* The same for machines: parameter, value, and all that was tried. */
json_t *tuned_json(const struct tuned *tuned);

/* What a voice can do, for machines. */
json_t *layer_score_json(const struct layer_score *score);

/* Reading options from --format, --gold and --column; EXIT_DONE or EXIT_MISUSE after a message. */
int reading_prepare(struct reader_options *reading, const struct command *command, const struct settings *settings);

#endif
