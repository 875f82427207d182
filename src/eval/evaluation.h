/*
 * An evaluation compares the answers of a model, or of a file, with gold.
 */
#ifndef VOUCH_EVAL_EVALUATION_H
#define VOUCH_EVAL_EVALUATION_H

#include "eval/confidence_eval.h"
#include "measure/tag_score.h"
#include "measure/tree_score.h"
#include "options/settings.h"
#include "task/tag_labels.h"
#include "task/task.h"
#include "eval/coverage_tally.h"

#include <jansson.h>

/* Zero it before first use, and fill in the fields that describe the answers. */
struct evaluation {
    const struct task *task;         /* how gold labels are read */
    const struct vouch_model *model; /* the model that answers; NULL: answers in files */
    uint64_t known;                  /* words whose gold label the model knows */
    uint64_t sentences, seen;        /* sentences, and those among them that the model learned from */
    bool parses, labelled;           /* answers are trees; trees have relations */
    struct tag_score score;          /* one of these two counts; the other is empty */
    struct tree_score trees;
    bool judged; /* confidence is measured */
    bool covers; /* sets of choices are measured: */
    struct coverage_model coverage;
    struct coverage_tally tally;
    struct confidence_eval confidence_eval;

    /* Shown each answer that comes with confidence, and its gold labels as they are compared. May be NULL. */
    bool (*look)(void *context, const struct sentence *sentence, const struct text *gold, const struct answer *answer,
                 struct vouch_error *err);
    void *context;

    struct text *gold;
    struct label_work work;
    bool *punctuation;
    size_t gold_capacity, punctuation_capacity;
};

/* How files are answered: the options of vouch eval, a watch (NULL: none), and a function called with every file. */
struct evaluation_plan {
    const struct settings *settings;
    const struct vouch_watch *watch;
    void (*begin)(void *context, const char *path); /* may be NULL; the context is the evaluation's */
};

/* Lets the model answer the files of the settings, with the confidence that they name, and measures everything. */
bool evaluation_run(struct evaluation *evaluation, const struct vouch_model *model, const struct evaluation_plan *plan,
                    struct vouch_error *err);

/* Counts one answer to a sentence with gold labels, or heads. The function of an answer_sink. */
bool evaluation_take(void *evaluation, const struct sentence *sentence, const struct answer *answer,
                     struct vouch_error *err);

/* Returns everything that was measured; NULL if there is no memory for it. */
json_t *evaluation_json(const struct evaluation *evaluation);
void evaluation_release(struct evaluation *evaluation);

/* Return the same for trees, and for confidence: all figures, intervals and bins. */
json_t *tree_score_json(const struct tree_score *score, bool labelled);
json_t *confidence_eval_json(const struct confidence_eval *confidence_eval);

#endif
