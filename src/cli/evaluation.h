/*
 * An evaluation: answers of a model or of a file, compared with gold and reported.
 */
#ifndef VOUCH_CLI_EVALUATION_H
#define VOUCH_CLI_EVALUATION_H

#include "calibrate/confidence_eval.h"
#include "cli/cli.h"
#include "cli/eval_words.h"
#include "corpus/reader.h"
#include "measure/tag_score.h"
#include "measure/tree_score.h"
#include "task/tag_labels.h"
#include "task/tag_task.h"

#include <jansson.h>

/* Zero it before first use, and fill in what is known about the answers. */
struct evaluation {
    const struct tag_task *task;     /* how gold labels are read */
    const struct vouch_model *model; /* the model that answers; NULL: answers in files */
    uint64_t known;                  /* words whose gold label the model knows */
    uint64_t sentences, seen;        /* sentences, and those among them that the model learned from */
    struct tag_score score;
    bool parses, labelled; /* answers are trees; trees have relations */
    struct tree_score trees;
    bool judged; /* confidence is measured */
    struct confidence_eval confidence_eval;
    bool lists; /* words are kept for the page */
    struct eval_words words;
    struct text *gold;
    struct label_work work;
    bool *punctuation;
    size_t gold_capacity, punctuation_capacity;
};
void evaluation_release(struct evaluation *evaluation);

/* Whether the files that the settings ask for can be written; called before any work is done. */
bool evaluation_can_report(const struct settings *settings, struct vouch_error *err);

/* Counts one answer to a sentence with gold labels, or heads. An answer_sink's function. */
bool evaluation_take(void *evaluation, const struct sentence *sentence, const struct answer *answer,
                     struct vouch_error *err);

/* Writes the usual report, or JSON, and the files that were asked for. `name` is what was measured. */
bool evaluation_report(const struct evaluation *evaluation, const struct command *command,
                       const struct settings *settings, const char *name, struct vouch_error *err);

/* Prints a result, which is taken over. */
void print_json(json_t *result);

/* Measures a model, answers in files, or algorithms. Each returns the exit status. */
int eval_model(const struct command *command, const struct settings *settings);
int eval_files(const struct command *command, const struct settings *settings);
int eval_folds(const struct command *command, const struct settings *settings);

#endif
