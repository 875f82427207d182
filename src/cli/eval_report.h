/*
 * Reports an evaluation: as text on standard output, as points of curves in files, and as a page.
 */
#ifndef VOUCH_CLI_EVAL_REPORT_H
#define VOUCH_CLI_EVAL_REPORT_H

#include "eval/evaluation.h"

/* The words of reports for what is judged: labels, or the heads of trees. */
struct answer_names {
    const char *one, *many;
    const char *are_right, *is_wrong, *are_wrong; /* continuations of a sentence about words */
    const char *in_them;                          /* after "confidence" */
};
const struct answer_names *answers_called(const struct confidence_eval *confidence_eval);

/* Whether the numbers of a method are random: there for comparison, it is never the best. */
bool is_chance(const struct method_eval *method);

/*
 * Prints the usual report, then the quality of the confidence: of all methods if the options name some, else briefly of
 * the first; and the coverage of sets.
 */
bool eval_print(const struct evaluation *evaluation, struct vouch_error *err);

/*
 * Writes files FOLDER/ASPECT-METHOD-bins.csv (of probabilities alone), ...-precision-recall.csv and
 * ...-risk-coverage.csv. The folder is made if it is not there.
 */
bool eval_write_csv(const struct confidence_eval *confidence_eval, const char *folder, struct vouch_error *err);

/*
 * Words worth a look: those that a model is least sure of, and those that it is sure of and wrong.
 *
 * The lists are kept up to date while a file is answered, each word with its context; among equals the first is kept.
 * O(words * LISTED_WORDS).
 */
enum { LISTED_WORDS = 20 };

struct eval_word {
    double confidence;
    bool right;
    const char *file;            /* of struct eval_words */
    uint64_t line;               /* of the sentence */
    char *before, *word, *after; /* as they stand in the sentence */
    char *answer, *gold;         /* labels, or the heads' words */
};

struct eval_list {
    bool surest; /* the most confident first; else the least */
    size_t count;
    struct eval_word word[LISTED_WORDS];
};

/* Zero it before first use. */
struct eval_words {
    const char *file; /* the caller's: the file being answered; NULL if there is only one */
    struct eval_list doubtful, mistaken;
};

/* Considers all words of an answer, labels or heads, by the first method of its estimator. `gold` [N] are labels. */
bool eval_words_take(struct eval_words *words, const struct sentence *sentence, const struct text *gold,
                     const struct answer *answer, struct vouch_error *err);
void eval_words_release(struct eval_words *words);

/* A page about one model on one test set: what it gets right, how good its confidence is, and words to look at. */
struct eval_page {
    const char *model, *command; /* as they were given */
    const char *const *file;     /* [files] none: standard input */
    size_t files;
    const struct evaluation *evaluation;
    const struct eval_words *words;
};

/* Writes the page whole or not at all. Without gnuplot it has no figures, and tells this. */
bool eval_page_write(const struct eval_page *page, const char *path, struct vouch_error *err);

#endif
