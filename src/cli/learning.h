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

/* What 0 stands for. Chosen on development files (docs/MEASUREMENTS.md): labels and trees need different steps. */
#define PHI_OF_LABELS 2
#define PHI_OF_TREES 0.3
#define RATE_OF_LABELS 0.25
#define RATE_OF_TREES 0.1
#define AS_TEXT(number) #number
#define LABELS_AND_TREES(labels, trees) "0: " AS_TEXT(labels) " for labels, " AS_TEXT(trees) " for trees"

/* clang-format off */
#define OPTION_OUTPUT_MODEL \
    {"output", 'o', OPTION_TEXT, AT(output), "FILE", 0, 0, true, \
     "the model file to write; appears whole or not at all"}

/* With another letter for --passes, or 0, where -n means something else. */
#define OPTIONS_LEARNER_WITH(letter_of_passes) \
    {"algorithm", 'a', OPTION_TEXT, AT(algorithm), "NAME", 0, 0, false, \
     "cw, pa, perceptron or crf; several as cw+crf (eval: cw,pa)"}, \
    {"passes", letter_of_passes, OPTION_INTEGER, AT(passes), "N", 1, 10000, false, \
     "passes over the training data"}, \
    {"features", 0, OPTION_TEXT, AT(features), "SET", 0, 0, false, \
     "built-in features: np, chunk, ner, pos, or attributes for ready-made ones; the task's own if not given"}, \
    {"template", 0, OPTION_TEXT, AT(template), "FILE", 0, 0, false, \
     "features from a CRF++ template file"}, \
    {"cutoff", 0, OPTION_INTEGER, AT(cutoff), "N", 1, 1000000, false, \
     "leave out features seen fewer than N times"}, \
    {"learn-as", 0, OPTION_TEXT, AT(learn_as), "SCHEME", 0, 0, false, \
     "scheme to learn in: iob2 (which leaves BIOES as it is), bioes, or keep; answers are in the corpus's own"}, \
    {"k-best", 'k', OPTION_INTEGER, AT(k_best), "K", 0, 1000, false, \
     "learn from the K best answers; 0: 5 for cw, and for pa on labels, else 1"}, \
    {"C", 'C', OPTION_REAL, AT(C), "X", 1e-9, 1e9, false, \
     "pa: the largest step"}, \
    {"phi", 0, OPTION_REAL, AT(phi), "X", 0, 1e9, false, \
     "cw: how sure the margin must be; " LABELS_AND_TREES(PHI_OF_LABELS, PHI_OF_TREES)}, \
    {"covariance", 0, OPTION_TEXT, AT(covariance), "KIND", 0, 0, false, \
     "cw: how variances follow: full, inverse or exact"}, \
    {"variance", 0, OPTION_REAL, AT(variance), "X", 1e-9, 1e9, false, \
     "cw: initial variance"}, \
    {"rate", 0, OPTION_REAL, AT(rate), "X", 0, 1e9, false, \
     "crf: first step; " LABELS_AND_TREES(RATE_OF_LABELS, RATE_OF_TREES)}, \
    {"l2", 0, OPTION_REAL, AT(l2), "X", 0, 1e9, false, \
     "crf: strength of the Gaussian prior"}, \
    {"unlabelled", 0, OPTION_FLAG, AT(unlabelled), NULL, 0, 0, false, \
     "dep: learn heads only, no relations"}, \
    {"bits", 0, OPTION_INTEGER, AT(bits), "N", 10, 28, false, \
     "dep: hash the features of arcs into 2^N weights"}

#define OPTIONS_LEARNER OPTIONS_LEARNER_WITH('n')

#define OPTION_MULTI_ROOT \
    {"multi-root", 0, OPTION_TEXT, AT(multi_root), "WHAT", 0, 0, false, \
     "dep: skip training sentences with several roots, keep them, or attach the others to the first root"}

#define OPTIONS_LEARNING \
    OPTIONS_LEARNER, \
    OPTION_MULTI_ROOT, \
    {"tune", 0, OPTION_FLAG, AT(tune), NULL, 0, 0, false, \
     "first choose C, phi or rate on a held-out quarter of the data"}
/* clang-format on */

/* A corpus of labels or of trees, and the dataset that learning sees. */
struct learned_corpus {
    struct tag_corpus tags;
    struct tree_corpus trees;
    struct dataset dataset;
};

/* How to read, and what to learn, as the options say. */
struct learning {
    bool parses; /* --task dep */
    struct tag_plan plan;
    struct tree_plan trees;
    struct trial trial[MAX_TRIALS];
    uint32_t trials;
    char *template_text; /* of --template */
};

/* Checks the options; `separator` separates algorithms. EXIT_DONE, or EXIT_MISUSE after a message. */
int learning_prepare(struct learning *learning, const struct command *command, const struct settings *settings,
                     char separator, uint32_t most);
void learning_release(struct learning *learning);

/* Reads the training files, and `dev` if it is not NULL. Release in any case. */
bool learning_read(const struct learning *learning, const struct settings *settings, const char *dev,
                   const struct reading_watch *watch, struct learned_corpus *corpus, struct vouch_error *err);

/*
 * The alternative to learning_read(): reads the labelled files of the command line as `model`, which must outlive the
 * corpus, sees them, all into the dataset's dev. Fills in `reading`, and prints what was read.
 */
bool learned_corpus_borrow(struct learned_corpus *corpus, const struct vouch_model *model,
                           struct reader_options *reading, const struct settings *settings, struct vouch_error *err);
void learned_corpus_release(struct learned_corpus *corpus);

/* Prints on standard error how much was read. */
void say_read(uint32_t sentences, size_t words);

/* Prints on standard error what was read. */
void learned_corpus_say(const struct learning *learning, const struct learned_corpus *corpus);

/* What --tune found for one learner. */
struct tuned {
    const char *name; /* of the parameter; NULL: there is nothing to choose */
    double value[MAX_GRID], figure[MAX_GRID];
    uint32_t count, best;
};

/*
 * Tries every value of the learner's grid on a held-out quarter of the corpus
 * and sets the best in *chosen. `plan` says how; its trials are ignored.
 */
bool learning_tune(struct trial *chosen, const struct trial_plan *plan, struct tuned *tuned, struct vouch_error *err);

/* Prints on standard error what was chosen, and with --verbose what was tried. */
void tuned_say(const struct tuned *tuned, const struct trial *chosen, const struct settings *settings);

/* The same as JSON: parameter, value, and all that was tried. */
json_t *tuned_json(const struct tuned *tuned);

/* The score of a voice as JSON. */
json_t *layer_score_json(const struct layer_score *score);

/* Reading options from --format, --gold and --column; EXIT_DONE or EXIT_MISUSE after a message. */
int reading_prepare(struct reader_options *reading, const struct command *command, const struct settings *settings);

#endif
