/*
 * An evaluation compares the answers of a model, or of a file, with gold.
 */
#ifndef VOUCH_EVAL_EVALUATION_H
#define VOUCH_EVAL_EVALUATION_H

#include "eval/confidence_eval.h"
#include "measure/intervals.h"
#include "measure/tag_score.h"
#include "measure/tree_score.h"
#include "options/rows.h"
#include "task/tag_labels.h"
#include "task/task.h"

/* The options of vouch eval: of a model, of answers in files, and of algorithms. */
struct eval_options {
    struct options common;
    struct reading_values reading;
    struct learner_values learner;
    struct confidence_values confidence;
    struct score_values source;
    const char *model, *answers, *columns, *csv, *report;
    enum row_sentences rows;
    uint32_t resamples, folds;
    bool json;
};
extern const struct option_table eval_options;

/* Sets of choices, how often they hold the right one, and how large they are: words have sets of labels or heads;
 * chunks of the answer have sets of readings. */
enum covered { COVERED_WORDS, COVERED_CHUNKS, COVERED };

/* A sentence with its truth: labels in the corpus's spelling, or heads. */
struct covered_sentence {
    uint32_t N;
    const struct text *gold;   /* [N] labels; not looked at in trees */
    const uint32_t *gold_head; /* [N]; NULL if the model labels */
    const struct vouch_answer *answer;
};

/* Returns the number of things in a sentence that have sets. */
uint32_t covered_count(const struct covered_sentence *sentence, enum covered what);

/*
 * Returns the probability of the right choice of thing i in its set; NAN if it is not in the set. *answered says
 * whether it is the answer's. The right reading of a chunk is the type that gold has for just these words, or O if it
 * has none.
 */
double covered_truth(const struct covered_sentence *sentence, enum covered what, uint32_t i, bool *answered);

/* Counts over sentences. Zero it before first use. */
struct coverage_tally {
    struct clustered covered[COVERED];
    double shares[COVERED];  /* the sum over sentences of the share that is covered, */
    double choices[COVERED]; /* of sizes, */
    double single[COVERED];  /* and of sets of one */
};

/* The figures that were counted; shares are in percent. */
struct coverage_figures {
    double sentences, count;
    double by_sentence;      /* the mean of the sentences' shares, which is the figure that is promised */
    double share, low, high; /* of all, and its interval of 90 percent, by sentences */
    double size, single;     /* the mean size of a set; the share of sets of one choice */
};
struct coverage_figures coverage_figures(const struct coverage_tally *tally, enum covered what);

extern const char *const covered_names[COVERED]; /* "words", "chunks" */

/* The evaluation. Set the first four fields; zero the rest. */
struct evaluation {
    const struct eval_options *options; /* the confidence to measure, and the files to answer */

    /* Called with each answer that comes with confidence and its gold labels as they are compared; with every file
       before it is read. May be NULL. */
    bool (*on_answer)(void *context, const struct sentence *sentence, const struct text *gold,
                      const struct vouch_answer *answer, struct vouch_error *err);
    void (*on_file)(void *context, const char *path);
    void *context;

    const struct task *task;         /* how gold labels are read */
    const struct vouch_model *model; /* the model that answers; NULL: answers in files */
    const struct score_files *scores; /* of a model without weights; else NULL */
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

    struct text *gold;
    struct label_work work;
    bool *punctuation;
    size_t gold_capacity, punctuation_capacity;
};

/* Lets the model answer the files of the options, with the confidence that they name, and measures everything. */
bool evaluation_run(struct evaluation *evaluation, const struct vouch_model *model, struct vouch_error *err);

/* Counts one answer to a sentence with gold labels, or heads. The function of an answer_sink. */
bool evaluation_take(void *evaluation, const struct sentence *sentence, const struct vouch_answer *answer,
                     struct vouch_error *err);

/* Returns everything that was measured; NULL if there is no memory for it. */
json_t *evaluation_json(const struct evaluation *evaluation);
void evaluation_release(struct evaluation *evaluation);

#endif
